// Who owns a node: the user itself, the owner of a tool or resource, the users above the writer of a record.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the node
// Returns
//   users  LIST<STRING>  its owners
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';

MATCH (node:MapNode {tenant: $tenant, id: $id})
CALL (node) {
  WITH node WHERE node:User
  RETURN node.id AS owner
UNION
  WITH node WHERE node:Tool OR node:Resource
  MATCH (node)-[link:AUTHORIZED_BY]->(user:User {tenant: $tenant})
  WHERE link.revoked_at IS NULL
  RETURN user.id AS owner
UNION
  WITH node WHERE node:Message OR node:Memory OR node:Claim
  MATCH (node)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
  MATCH (writer)-[links:AUTHORIZED_BY*0..]->(end)
  WHERE all(link IN links WHERE link.revoked_at IS NULL)
  WITH DISTINCT end // then what it is, so that no plan begins there
  WHERE end:User AND end.tenant = $tenant
  RETURN end.id AS owner
}
RETURN collect(DISTINCT owner) AS users;
