// Closes a change that is worked off.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the change
// Returns
//   finished  INTEGER  1 if it was open
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'work:1';

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn
MATCH (work:_Rework {tenant: $tenant, id: $id})
DELETE work
RETURN count(*) AS finished;
