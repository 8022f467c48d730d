// Removes the next nodes of a tenant that a policy test made, the tenant's own node last; repeat it
// until nothing is removed. Any other tenant is left alone, whatever the parameter says.
//
// Parameters
//   $tenant  STRING   a tenant of a policy test: its name begins with policy-test-
//   $batch   INTEGER  how many nodes at most
// Returns
//   removed  INTEGER  how many were removed
// Access
//   write
// Try it
//   :param tenant => 'policy-test-0';
//   :param batch => 10000;

CALL () {
  MATCH (n:MapNode {tenant: $tenant}) WHERE n.id IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Entry {tenant: $tenant}) WHERE n.seq IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_AccessClass {tenant: $tenant}) WHERE n.key IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Grant {tenant: $tenant}) WHERE n.id IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Rework {tenant: $tenant}) WHERE n.id IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Audit {tenant: $tenant}) WHERE n.id IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Key {tenant: $tenant}) WHERE n.actor IS NOT NULL AND n.key IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Approval {tenant: $tenant}) WHERE n.decision IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Call {tenant: $tenant}) WHERE n.decision IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Query {tenant: $tenant}) WHERE n.agent IS NOT NULL AND n.task IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:_Tenant {tenant: $tenant}) RETURN n
}
WITH n WHERE $tenant STARTS WITH 'policy-test-'
WITH n LIMIT $batch
DETACH DELETE n
RETURN count(*) AS removed;
