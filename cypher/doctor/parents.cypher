// Records with more or fewer lineage edges than they were written with, and what nobody wrote.
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

MATCH (node:MapNode {tenant: $tenant})
WITH node, COUNT { (node)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->() } AS present,
  COUNT { (node)-[:WRITTEN_BY]->(:MapNode {tenant: $tenant}) } AS writers
UNWIND [
  CASE WHEN node.parents IS :: INTEGER NOT NULL AND present < node.parents THEN 'a parent is missing' END,
  CASE WHEN node.parents IS :: INTEGER NOT NULL AND present > node.parents THEN 'a parent was added' END,
  CASE WHEN writers = 0 AND (node:Message OR node:Memory OR node:Claim OR node:Action) THEN 'the writer is missing' END
] AS what
WITH node, what WHERE what IS NOT NULL
WITH what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
