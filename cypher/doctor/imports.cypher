// Nodes of an import that was cut off, or is running just now; they are closed until it is complete.
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
WHERE node.pending IS NOT NULL
WITH coalesce(toStringOrNull(node.pending), '?') AS what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
