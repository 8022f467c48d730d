// The ids and content hashes of everything that evidence came from: what an approval is bound to;
// and the labels of the evidence, since some kinds only may be used for an action.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the evidence
// Returns
//   lineage  LIST<LIST<STRING>>  id and content hash of each, in order
//   kinds    LIST<LIST<STRING>>  id and label of each piece of evidence
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

CALL () {
  UNWIND $ids AS wanted
  MATCH (item:MapNode {tenant: $tenant, id: wanted})
  CALL (item) { // a scope of its own: each node once, whatever the statistics
    MATCH (item)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
    RETURN DISTINCT node
  }
  WITH DISTINCT node ORDER BY node.id
  RETURN collect([node.id, coalesce(node.content_hash, '')]) AS lineage
}
CALL () {
  UNWIND $ids AS wanted
  MATCH (item:MapNode {tenant: $tenant, id: wanted})
  RETURN collect([item.id, [label IN labels(item) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0]]) AS kinds
}
RETURN lineage, kinds;
