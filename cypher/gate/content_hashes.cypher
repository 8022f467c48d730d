// The present keyed hashes of records.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the records
// Returns
//   id            STRING  a record
//   content_hash  STRING  its keyed hash
//   kind          STRING  its label
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
RETURN node.id AS id, node.content_hash AS content_hash,
  [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind
ORDER BY id;
