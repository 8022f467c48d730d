// Users, agents, tools and resources with their content hashes.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   hash_key  STRING           the key of content hashes
//   sources   LIST<LIST<ANY>>  id and content_hash of each
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (turn:_Tenant {tenant: $tenant})
CALL () {
  MATCH (node:MapNode {tenant: $tenant})
  WHERE (node:User OR node:Agent OR node:Tool OR node:Resource)
    AND node.id IS :: STRING NOT NULL
  WITH node ORDER BY node.id
  RETURN collect([node.id, node.content_hash]) AS sources
}
RETURN turn.hash_key AS hash_key, sources;
