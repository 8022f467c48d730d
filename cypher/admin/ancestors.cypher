// All that a node came from, as a graph to look at in Browser, nearest first.
//
// Parameters
//   $tenant  STRING   the tenant
//   $id      STRING   the node
//   $limit   INTEGER  how many nodes at most
// Returns
//   node   NODE                the node itself or an ancestor
//   hops   INTEGER             how far above
//   edges  LIST<RELATIONSHIP>  its edges to what it came from
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'mem:1';
//   :param limit => 2000;

MATCH (root:MapNode {tenant: $tenant, id: $id})
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH path = (root)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN node, min(length(path)) AS hops
}
WITH node, hops
ORDER BY hops, node.seq LIMIT $limit
RETURN node, hops,
  COLLECT { MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->() RETURN edge } AS edges
ORDER BY hops, node.seq;
