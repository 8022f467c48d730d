// Changes that are still being worked off, oldest first.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   id      STRING   the change
//   root    STRING   where it starts
//   mode    STRING   mark or recompute
//   cursor  INTEGER  the last number that is done
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (work:_Rework {tenant: $tenant})
RETURN work.id AS id, work.root AS root, work.mode AS mode, work.cursor AS cursor
ORDER BY work.at, id;
