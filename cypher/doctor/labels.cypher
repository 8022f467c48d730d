// Nodes under no label of ours, under more than one, under a foreign one, or outside the execution graph.
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
  MATCH (node:MapNode {tenant: $tenant})
  WITH node, size([label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']]) AS ours, size(labels(node)) AS all
  WITH node, ours, all - ours - 1 - CASE WHEN node:Revoked THEN 1 ELSE 0 END
    - CASE WHEN node:Affected THEN 1 ELSE 0 END AS others
  UNWIND [CASE WHEN ours = 0 THEN 'none of the eight labels' END,
    CASE WHEN ours > 1 THEN 'more than one of the eight labels' END,
    CASE WHEN others > 0 THEN 'a label that is not ours' END] AS what
  WITH node, what WHERE what IS NOT NULL
  RETURN node, what
UNION ALL
  MATCH (node:User|Agent|Tool|Resource|Message|Memory|Claim|Action {tenant: $tenant})
  WHERE NOT node:MapNode
  RETURN node, 'not a MapNode' AS what
}
WITH what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
