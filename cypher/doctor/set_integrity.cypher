// Marks records whose text is no longer the one that was hashed, so that nothing counts on them; or lifts
// that mark where the text is back.
//
// Parameters
//   $tenant  STRING     the tenant
//   $marks   LIST<MAP>  id and integrity of each
// Returns
//   marked  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param marks => [];

UNWIND $marks AS row
MATCH (node:MapNode {tenant: $tenant, id: row.id})
WHERE node:Message OR node:Memory OR node:Claim
SET node.integrity = row.integrity
RETURN count(*) AS marked;
