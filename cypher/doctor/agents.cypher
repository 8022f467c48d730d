// Agents that no chain of grants, active or not, joins to a user.
//
// Parameters
//   $tenant  STRING   the tenant
//   $sample  INTEGER  how many ids at most
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;

MATCH (agent:Agent {tenant: $tenant})
CALL (agent) {
  MATCH (agent)-[:AUTHORIZED_BY*1..]->(end)
  WITH DISTINCT end
  WHERE end:User AND end.tenant = $tenant
  RETURN count(end) AS users
}
WITH agent WHERE users = 0
WITH coalesce(toStringOrNull(agent.id), 'node ' + elementId(agent)) AS id ORDER BY id
RETURN 'no user stands behind the agent' AS what, count(*) AS found, collect(id)[..$sample] AS ids;
