// The ids of entries, and the policy revision before they are proved.
//
// Parameters
//   $tenant  STRING         the tenant
//   $seqs    LIST<INTEGER>  the entries
// Returns
//   epoch     INTEGER          the policy revision
//   hash_key  STRING           the key of content hashes
//   ids       LIST<LIST<ANY>>  seq and id of each entry
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param seqs => [1];

MATCH (turn:_Tenant {tenant: $tenant})
CALL (turn) {
  UNWIND $seqs AS wanted
  MATCH (entry:_Entry {tenant: $tenant, seq: wanted})
  RETURN collect([entry.seq, entry.id]) AS ids
}
RETURN turn.epoch AS epoch, turn.hash_key AS hash_key, ids;
