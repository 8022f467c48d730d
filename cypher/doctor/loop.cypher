// What stands above and below a record, to see which of them form a cycle with it.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the record
// Returns
//   above  LIST<STRING>  all that it came from
//   below  LIST<STRING>  all that came from it
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'mem:1';

MATCH (record:MapNode {tenant: $tenant, id: $id})
CALL (record) {
  MATCH (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*1..]->(node)
  WITH DISTINCT node
  RETURN collect(node.id) AS above
}
CALL (record) {
  MATCH (record)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*1..]-(node)
  WITH DISTINCT node
  RETURN collect(node.id) AS below
}
RETURN above, below;
