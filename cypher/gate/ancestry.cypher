// The ids and content hashes of everything that evidence came from: what an approval is bound to.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the evidence
// Returns
//   lineage  LIST<LIST<STRING>>  id and content hash of each, in order
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (item:MapNode {tenant: $tenant, id: wanted})
CALL (item) { // a scope of its own: each node once, whatever the statistics
  MATCH (item)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN DISTINCT node
}
WITH DISTINCT node ORDER BY node.id
RETURN collect([node.id, coalesce(node.content_hash, '')]) AS lineage;
