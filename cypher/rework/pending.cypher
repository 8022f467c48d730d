// Changes that are still being worked off, oldest first.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   id      STRING   the change
//   root    STRING   where it starts
//   mode    STRING   mark, recompute, renew or erase
//   cursor  INTEGER  the last number that is done
//   ticket  STRING   which start of it: a change that was started anew is not finished by who began before
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (work:_Rework {tenant: $tenant})
RETURN work.id AS id, work.root AS root, work.mode AS mode, work.cursor AS cursor,
  coalesce(work.ticket, '') AS ticket
ORDER BY work.at, id;
