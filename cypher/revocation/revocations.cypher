// The revocations of a node that are not undone.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the node
// Returns
//   id     STRING          the revocation
//   kind   STRING          access, reliability, erasure or invalid
//   since  ZONED DATETIME  start of its window
//   until  ZONED DATETIME  end of its window
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';

MATCH (:MapNode {tenant: $tenant, id: $id})-[mark:INVALIDATED_BY]->()
WHERE mark.undone_at IS NULL
RETURN mark.id AS id, mark.kind AS kind, mark.since AS since, mark.until AS until
ORDER BY mark.at, id;
