// Locks the tenant, so that one write at a time changes what may be read, and hands out numbers.
// Every such write runs it first, before it reads parents, grants or revocations (SPEC 5).
//
// Parameters
//   $tenant        STRING   the tenant
//   $bump          INTEGER  1 if the write changes what may be read, else 0
//   $count         INTEGER  how many numbers to hand out
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   epoch     INTEGER         the policy revision of this write
//   seq       INTEGER         the last number handed out before
//   classes   INTEGER         how many access classes there are
//   hash_key  STRING          the key of content hashes
//   now       ZONED DATETIME  the database clock
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param bump => 0;
//   :param count => 0;
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + $bump, turn.seq = turn.seq + $count
RETURN turn.epoch AS epoch,
  turn.seq - $count AS seq,
  turn.classes AS classes,
  turn.hash_key AS hash_key,
  datetime() + duration({milliseconds: $clock_offset}) AS now;
