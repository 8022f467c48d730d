// The decisions that used a node or anything that came from it, oldest first.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the node
// Returns
//   ids  LIST<STRING>  decisions
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';

MATCH (source:MapNode {tenant: $tenant, id: $id})
CALL (source) { // a scope of its own: each node once, whatever the statistics
  MATCH (source)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN DISTINCT node
}
MATCH (node)-[:USED_FOR_ACTION]->(action:Action {tenant: $tenant})
WITH DISTINCT action ORDER BY action.seq
RETURN collect(action.id) AS ids;
