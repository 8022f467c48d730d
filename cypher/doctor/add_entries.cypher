// Gives each of the records an entry that is closed and empty, or the one it has its proper names, until it
// is worked out.
//
// Parameters
//   $tenant  STRING         the tenant
//   $seqs    LIST<INTEGER>  numbers of records
// Returns
//   added  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param seqs => [1];

MATCH (turn:_Tenant {tenant: $tenant})
UNWIND $seqs AS wanted
MATCH (node:MapNode {tenant: $tenant, seq: wanted})
WHERE node:Message OR node:Memory OR node:Claim
MERGE (entry:_Entry {tenant: $tenant, seq: wanted})
ON CREATE SET entry.live = false, entry.parts = CASE WHEN node.erased_at IS NULL THEN 0 ELSE 1 END,
  entry.erased = CASE WHEN node.erased_at IS NOT NULL THEN true END,
  entry.pending = node.pending
SET entry.id = node.id, entry.epoch = turn.epoch, entry.label = [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0]
RETURN count(*) AS added;
