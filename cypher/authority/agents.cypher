// Every agent of the tenant, oldest first.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   ids  LIST<STRING>  agents
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (agent:Agent {tenant: $tenant})
WITH agent ORDER BY agent.seq
RETURN collect(agent.id) AS ids;
