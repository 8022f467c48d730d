// Every node of the tenant in the order of its number, for an export; unfinished imports are left out.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   id          STRING  a node
//   kind        STRING  its label
//   properties  MAP     its properties
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (node:MapNode {tenant: $tenant})
WHERE node.pending IS NULL AND node.id IS NOT NULL
WITH node ORDER BY node.seq
RETURN node.id AS id,
  [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind,
  properties(node) AS properties;
