// Which of these recipients the tenant knows: registered users and agents, and every team and role,
// which are names that scopes and memberships share.
//
// Parameters
//   $tenant      STRING        the tenant
//   $principals  LIST<STRING>  principals to look up
// Returns
//   known  LIST<STRING>  those that are known
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param principals => ['user:carol', 'team:finance'];

UNWIND $principals AS wanted
OPTIONAL MATCH (node:MapNode {tenant: $tenant, id: wanted})
WHERE node:User OR node:Agent
WITH DISTINCT wanted, node IS NOT NULL OR split(wanted, ':')[0] IN ['team', 'role'] AS known
RETURN collect(CASE WHEN known THEN wanted END) AS known;
