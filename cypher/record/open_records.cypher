// Opens the next records of an import that is complete; until then they are closed everywhere.
//
// Parameters
//   $tenant     STRING  the tenant
//   $import_id  STRING  the import
// Returns
//   opened  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param import_id => 'import:1';

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn
CALL (turn) {
  MATCH (entry:_Entry {tenant: $tenant, pending: $import_id})
  MATCH (node:MapNode {tenant: $tenant, seq: entry.seq})
  REMOVE node.pending, entry.pending
  SET entry.epoch = turn.epoch, entry.live = NOT (CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END OR node:Affected)
  RETURN count(*) AS opened
}
RETURN opened;
