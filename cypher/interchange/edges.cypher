// Every edge between nodes of the tenant, oldest source first, for an export.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   type        STRING  its type
//   source      STRING  where it begins
//   target      STRING  where it ends
//   properties  MAP     its properties
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (source:MapNode {tenant: $tenant})-[edge]->(target:MapNode {tenant: $tenant})
WHERE source.pending IS NULL AND target.pending IS NULL
WITH source, edge, target ORDER BY source.seq, edge.at, target.seq
RETURN type(edge) AS type, source.id AS source, target.id AS target, properties(edge) AS properties;
