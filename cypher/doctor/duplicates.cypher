// Ids and numbers that should be one node's alone, as can happen where a constraint was dropped.
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

CALL () {
  MATCH (node:MapNode {tenant: $tenant}) WHERE node.id IS NOT NULL
  WITH node.id AS value, count(*) AS times WHERE times > 1
  RETURN 'nodes of one id' AS what, toStringOrNull(value) AS id
UNION ALL
  MATCH (node:MapNode {tenant: $tenant}) WHERE node.seq IS NOT NULL
  WITH node.seq AS value, count(*) AS times, collect(node.id)[0] AS first WHERE times > 1
  RETURN 'nodes of one number' AS what, toStringOrNull(first) AS id
UNION ALL
  MATCH (class:_AccessClass {tenant: $tenant})
  WITH class.number AS value, count(*) AS times WHERE times > 1
  RETURN 'access classes of one number' AS what, 'class ' + toStringOrNull(value) AS id
UNION ALL
  MATCH (turn:_Tenant {tenant: $tenant})
  WITH turn.tenant AS value, count(*) AS times WHERE times > 1
  RETURN 'tenants of one name' AS what, value AS id
}
WITH what, id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
