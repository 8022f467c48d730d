// Locks the tenant, so that one write at a time changes what may be read, hands out numbers, and
// binds the tenant to an embedding model, once. Every such write runs it first, before it reads
// parents, grants or revocations (SPEC 5).
//
// Parameters
//   $tenant        STRING   the tenant
//   $bump          INTEGER  1 if the write changes what may be read, else 0
//   $count         INTEGER  how many numbers to hand out
//   $model         STRING   the embedding model of the vectors to be written, or null
//   $dimension     INTEGER  their dimension, or null
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   epoch     INTEGER         the policy revision of this write
//   seq       INTEGER         the last number handed out before
//   model     STRING          the embedding model of the tenant, once it has vectors
//   hash_key  STRING          the key of content hashes
//   now       ZONED DATETIME  the database clock
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param bump => 0;
//   :param count => 0;
//   :param model => null;
//   :param dimension => null;
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + $bump, turn.seq = turn.seq + $count,
  turn.dimension = coalesce(turn.dimension, $dimension),
  turn.model = coalesce(turn.model, $model)
RETURN turn.epoch AS epoch,
  turn.seq - $count AS seq,
  turn.model AS model,
  turn.hash_key AS hash_key,
  datetime() + duration({milliseconds: $clock_offset}) AS now;
