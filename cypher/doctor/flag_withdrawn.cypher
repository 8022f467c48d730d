// Flags the nodes that a revocation closes already, and leaves their descendants to be marked.
//
// Parameters
//   $tenant        STRING   the tenant
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   flagged  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param clock_offset => 0;

MATCH (node:MapNode {tenant: $tenant})
WITH node, COUNT { (node)-[:INVALIDATED_BY]->() } <> COUNT {
    (node)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
      OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
  } AS closed,
  CASE WHEN node.revoked IS :: BOOLEAN NOT NULL AND node.revoked THEN true ELSE false END AS flag
WHERE closed AND NOT flag
SET node.revoked = true, node:Revoked
CREATE (:_Rework {tenant: $tenant, id: 'work:' + randomUUID(), root: node.id, cursor: -1, mode: 'mark', ticket: randomUUID(),
  at: datetime() + duration({milliseconds: $clock_offset})})
RETURN count(*) AS flagged;
