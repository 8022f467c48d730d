// Erasures that were cut off: what still has its content though it was to be destroyed.
//
// Parameters
//   $tenant  STRING   the tenant
//   $sample  INTEGER  how many ids at most
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;

MATCH (root:MapNode {tenant: $tenant})-[mark:INVALIDATED_BY {kind: 'erasure'}]->()
WHERE mark.undone_at IS NULL
CALL (root) {
  MATCH (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  WITH DISTINCT node
  WHERE node.erased_at IS NULL
  RETURN node
}
WITH mark.id AS what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
