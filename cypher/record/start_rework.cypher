// Leaves changes to be worked off.
//
// Parameters
//   $tenant        STRING     the tenant
//   $work          LIST<MAP>  id, root and mode of each
//   $clock_offset  INTEGER    milliseconds added to the database clock; 0 outside tests
// Returns
//   started  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param work => [];
//   :param clock_offset => 0;

UNWIND $work AS row
MERGE (work:_Rework {tenant: $tenant, id: row.id})
SET work.root = row.root, work.cursor = -1, work.mode = row.mode, work.ticket = randomUUID(),
  work.at = datetime() + duration({milliseconds: $clock_offset})
RETURN count(*) AS started;
