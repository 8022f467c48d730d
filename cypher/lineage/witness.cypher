// The path from a record to a node above it: how the restriction got there. One shortest path.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the record
//   $above   STRING  the node above it
// Returns
//   path  LIST<STRING>  ids along the path, the record first
// Access
//   read
// Plan
//   witness
// Try it
//   :param tenant => 'default';
//   :param id => 'mem:2';
//   :param above => 'res:q3-report';

MATCH (record:MapNode {tenant: $tenant, id: $id})
MATCH (above:MapNode {tenant: $tenant, id: $above})
WHERE above <> record
MATCH path = shortestPath((record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*1..]->(above))
RETURN [node IN nodes(path) | node.id] AS path LIMIT 1;
