// Which of these ids the tenant holds, with their keyed hashes.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  ids
// Returns
//   found  LIST<LIST<ANY>>  id, content hash, label and standing or class of each
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
RETURN collect([node.id, node.content_hash, [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0],
  coalesce(node.standing, node.source_class)]) AS found;
