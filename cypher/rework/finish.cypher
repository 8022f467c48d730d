// Closes a change that is worked off.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the change
//   $ticket  STRING  which start of it, by rework/pending
// Returns
//   finished  INTEGER  1 if it was open
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'work:1';
//   :param ticket => '';

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn
MATCH (work:_Rework {tenant: $tenant, id: $id})
WHERE coalesce(work.ticket, '') = $ticket
DELETE work
RETURN count(*) AS finished;
