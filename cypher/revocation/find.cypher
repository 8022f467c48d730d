// A revocation by its id; no row when there is none.
//
// Parameters
//   $tenant  STRING  the tenant
//   $id      STRING  the revocation
// Returns
//   id      STRING   the revocation
//   root    STRING   what it withdrew
//   kind    STRING   access, reliability, erasure or invalid
//   by      STRING   who withdrew it
//   undone  BOOLEAN  whether it is undone
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'rev:1';

MATCH (source:MapNode {tenant: $tenant})-[mark:INVALIDATED_BY {id: $id}]->(by)
RETURN mark.id AS id, source.id AS root, mark.kind AS kind, by.id AS by,
  mark.undone_at IS NOT NULL AS undone;
