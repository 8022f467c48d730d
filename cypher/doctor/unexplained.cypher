// Nodes that say that they are revoked, though no revocation stands that would say by whom and why.
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
WHERE node.revoked = true
WITH node, COUNT { (node)-[:INVALIDATED_BY]->() } <> COUNT {
    (node)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
      OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
  } AS closed
WHERE NOT closed
WITH coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY id
RETURN 'flagged, but by no revocation' AS what, count(*) AS found, collect(id)[..$sample] AS ids;
