// The nodes of given ids, as they stand in the graph.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the ids
// Returns
//   id          STRING  a node that exists
//   kind        STRING  its label
//   properties  MAP     its properties
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['user:alice'];

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
RETURN node.id AS id,
  [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind,
  properties(node) AS properties
ORDER BY id;
