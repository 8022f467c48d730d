// The part of the graph that path trust is computed on: all that the records came from, once each,
// with the edges between, parents never listed by path.
//
// Parameters
//   $tenant        STRING        the tenant
//   $ids           LIST<STRING>  the records
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   nodes  LIST<LIST<ANY>>  id, seq, kind, integrity, revoked, source_class, standing and writers of each
//   edges  LIST<LIST<ANY>>  child, parent, type and age in seconds of each
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
UNWIND $ids AS wanted
MATCH (record:MapNode {tenant: $tenant, id: wanted})
CALL (record) { // a scope of its own: each node once, whatever the statistics
  MATCH (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN DISTINCT node
}
WITH DISTINCT now, node
WHERE node:MapNode AND node.tenant = $tenant
WITH now, node, COLLECT {
  MATCH (node)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
  RETURN [writer.id, [label IN labels(writer) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], coalesce(writer.standing, writer.source_class)]
} AS writers, COLLECT {
  MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
  RETURN [node.id, parent.id, type(edge),
    (now.epochMillis - coalesce(edge.occurred_at, edge.at).epochMillis) / 1000.0]
} AS above
WITH node, writers, above ORDER BY node.seq
RETURN collect([node.id, node.seq, [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], node.integrity, node.revoked,
    node.source_class, node.standing, writers]) AS nodes,
  reduce(all = [], list IN collect(above) | all + list) AS edges;
