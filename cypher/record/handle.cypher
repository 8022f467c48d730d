// Whether a handle can be opened for a node; no row when the tenant does not exist.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the agent, or the user that administers
// Returns
//   registered  BOOLEAN  whether the tenant holds it
//   pending     BOOLEAN  whether a change is still to be worked off
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'agent:reader';

MATCH (turn:_Tenant {tenant: $tenant})
RETURN EXISTS { (:MapNode {tenant: $tenant, id: $id}) } AS registered,
  EXISTS { (:_Rework {tenant: $tenant}) } AS pending;
