// What a revocation reaches: descendants by kind and by depth, the access classes that close, and
// the past actions that used any of it. With a window only what stands behind an edge inside it.
//
// Parameters
//   $tenant  STRING          the tenant
//   $id      STRING          the source
//   $since   ZONED DATETIME  start of the window, or null
//   $until   ZONED DATETIME  end of the window, or null
// Returns
//   affected  INTEGER              how many records descend from it
//   by_kind   LIST<LIST<ANY>>      label and count
//   by_depth  LIST<LIST<INTEGER>>  hops and count
//   classes   LIST<INTEGER>        access classes of what was open until now
//   actions   LIST<STRING>         actions that used any of it
//   pending   LIST<STRING>         those of them that still wait for an approval or an execution
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';
//   :param since => null;
//   :param until => null;

MATCH (root:MapNode {tenant: $tenant, id: $id})
OPTIONAL CALL (root) {
  WITH root WHERE $since IS NULL AND $until IS NULL // one walk, however many children there are
  MATCH path = (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*1..]-(node)
  RETURN node, min(length(path)) AS hops
UNION
  WITH root WHERE $since IS NOT NULL OR $until IS NOT NULL
  MATCH (root)<-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]-(child:MapNode {tenant: $tenant})
  WHERE ($since IS NULL OR coalesce(edge.occurred_at, edge.at) >= $since)
    AND ($until IS NULL OR coalesce(edge.occurred_at, edge.at) < $until)
  WITH DISTINCT child
  MATCH path = (child)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  WITH node, min(length(path)) + 1 AS hops
  RETURN node, min(hops) AS hops
}
WITH root, collect(node) AS nodes,
  collect(CASE WHEN node IS NOT NULL THEN [[label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], hops] END) AS found
CALL (nodes) {
  UNWIND nodes AS node
  MATCH (entry:_Entry {tenant: $tenant, seq: node.seq}) WHERE entry.live
  RETURN collect(DISTINCT entry.class) AS classes
}
CALL (root, nodes) {
  UNWIND [root] + nodes AS node
  MATCH (node)-[:USED_FOR_ACTION]->(action:Action {tenant: $tenant})
  WITH DISTINCT action ORDER BY action.seq
  RETURN collect(action.id) AS actions,
    collect(CASE WHEN action.state IN ['pending', 'approved', 'decided'] THEN action.id END) AS pending
}
CALL (found) {
  UNWIND found AS row
  WITH row[0] AS kind, count(*) AS n ORDER BY kind
  RETURN collect([kind, n]) AS by_kind
}
CALL (found) {
  UNWIND found AS row
  WITH row[1] AS depth, count(*) AS n ORDER BY depth
  RETURN collect([depth, n]) AS by_depth
}
RETURN size(nodes) AS affected, by_kind, by_depth, classes, actions, pending;
