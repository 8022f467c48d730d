// Undoes revocations that a log says were undone.
//
// Parameters
//   $tenant  STRING     the tenant
//   $undone  LIST<MAP>  id, by, reason and at of each
// Returns
//   root  STRING  a source whose revocation is undone
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param undone => [];

UNWIND $undone AS row
MATCH (source:MapNode {tenant: $tenant})-[mark:INVALIDATED_BY {id: row.id}]->()
WHERE mark.undone_at IS NULL AND mark.kind <> 'erasure'
SET mark.undone_at = row.at, mark.undone_by = row.by, mark.undo_reason = row.reason
RETURN DISTINCT source.id AS root;
