// Leaves a change to be worked off: all that came from its root is worked out again.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the change
//   $root          STRING   where it starts
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   id  STRING  the change
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'work:1';
//   :param root => 'res:q3-report';
//   :param clock_offset => 0;

MERGE (work:_Rework {tenant: $tenant, id: $id})
SET work.root = $root, work.cursor = -1, work.mode = 'recompute', work.ticket = randomUUID(),
  work.at = datetime() + duration({milliseconds: $clock_offset})
RETURN work.id AS id;
