// Nodes that a revocation closes, though their own flag does not say so.
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
WITH node, COUNT { (node)-[:INVALIDATED_BY]->() } <> COUNT {
    (node)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
      OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
  } AS closed,
  CASE WHEN node.revoked IS :: BOOLEAN NOT NULL AND node.revoked THEN true ELSE false END AS flag
WHERE closed AND NOT flag
WITH coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY id
RETURN 'withdrawn, but not flagged' AS what, count(*) AS found, collect(id)[..$sample] AS ids;
