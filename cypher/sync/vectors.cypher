// The vectors of entries, as little-endian float32, one after the other.
//
// Parameters
//   $tenant  STRING         the tenant
//   $seqs    LIST<INTEGER>  the entries
// Returns
//   seq      INTEGER  an entry
//   vectors  BYTES    its vectors
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param seqs => [1];

UNWIND $seqs AS wanted
MATCH (entry:_Entry {tenant: $tenant, seq: wanted})
RETURN entry.seq AS seq, entry.vectors AS vectors
ORDER BY seq;
