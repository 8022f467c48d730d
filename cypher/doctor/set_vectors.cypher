// Writes the vectors of records anew. Of what was erased meanwhile none are written.
//
// Parameters
//   $tenant   STRING     the tenant
//   $vectors  LIST<MAP>  seq, parts and data of each
// Returns
//   written  INTEGER  how many records
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param vectors => [];

MATCH (turn:_Tenant {tenant: $tenant})
UNWIND $vectors AS row
MATCH (node:MapNode {tenant: $tenant, seq: row.seq})
MATCH (entry:_Entry {tenant: $tenant, seq: row.seq})
WHERE node.erased_at IS NULL OR row.data IS NULL
SET entry.parts = coalesce(row.parts, entry.parts), entry.vectors = row.data, entry.epoch = turn.epoch
RETURN count(*) AS written;
