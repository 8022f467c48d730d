// The grants of an agent: its edges to the user or agent that authorises it.
//
// Parameters
//   $tenant  STRING  the tenant
//   $agent   STRING  the agent
// Returns
//   id      STRING        the grant
//   target  STRING        who authorises
//   scopes  LIST<STRING>  its scopes
//   rights  LIST<STRING>  its rights
//   active  BOOLEAN       whether it was not withdrawn
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';

MATCH (agent:MapNode:Agent {tenant: $tenant, id: $agent})-[link:AUTHORIZED_BY]->(target:MapNode)
RETURN link.id AS id, target.id AS target, link.scopes AS scopes, link.rights AS rights,
  link.revoked_at IS NULL AS active
ORDER BY link.at, id;
