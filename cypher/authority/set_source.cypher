// Sets what a source or agent is known for: its standing, class or scope; null leaves a field.
//
// Parameters
//   $tenant        STRING        the tenant
//   $id            STRING        the node
//   $standing      STRING        new, established or compromised
//   $source_class  STRING        a class of the policy file
//   $scope         LIST<STRING>  who may read it
// Returns
//   id  STRING  the node
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';
//   :param standing => null;
//   :param source_class => 'internal';
//   :param scope => null;

MATCH (node:MapNode {tenant: $tenant, id: $id})
SET node.standing = coalesce($standing, node.standing),
  node.source_class = coalesce($source_class, node.source_class),
  node.scope = coalesce($scope, node.scope)
RETURN node.id AS id;
