// The state of the tenant; no row when it does not exist.
//
// Parameters
//   $tenant        STRING   the tenant
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   epoch      INTEGER         its policy revision
//   seq        INTEGER         the last number handed out
//   model      STRING          the embedding model of its vectors, once there are any
//   dimension  INTEGER         their dimension
//   hash_key   STRING          the key of content hashes
//   pending    BOOLEAN         whether a change is still being worked off
//   now        ZONED DATETIME  the database clock
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
RETURN turn.epoch AS epoch,
  turn.seq AS seq,
  turn.model AS model,
  turn.dimension AS dimension,
  turn.hash_key AS hash_key,
  EXISTS { (:_Rework {tenant: $tenant}) } AS pending,
  datetime() + duration({milliseconds: $clock_offset}) AS now;
