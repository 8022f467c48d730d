// Makes the tenant and its counters, once. Running it again changes nothing.
//
// Parameters
//   $tenant        STRING   the tenant
//   $hash_key      STRING   the key of its content hashes, used when it is new
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   created  BOOLEAN  whether it is new
//   epoch    INTEGER  its policy revision
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param hash_key => 'change me';
//   :param clock_offset => 0;

MERGE (turn:_Tenant {tenant: $tenant})
ON CREATE SET turn.epoch = 0, turn.seq = 0, turn.classes = 0, turn.hash_key = $hash_key,
  turn.created_at = datetime() + duration({milliseconds: $clock_offset}), turn.fresh = true
WITH turn, coalesce(turn.fresh, false) AS created
REMOVE turn.fresh
RETURN created, turn.epoch AS epoch;
