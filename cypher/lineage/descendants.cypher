// All that came from a node, nearest first.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the node
// Returns
//   ids  LIST<STRING>  records that came from it, without the node itself
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';

MATCH (root:MapNode {tenant: $tenant, id: $id})
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH path = (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN node, min(length(path)) AS hops
}
WITH root, node, hops
WHERE node <> root
WITH node ORDER BY hops, node.seq
RETURN collect(node.id) AS ids;
