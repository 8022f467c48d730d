// The vectors of entries, as little-endian float32, one after the other; in one list, since a row
// each takes twenty times as long.
//
// Parameters
//   $tenant  STRING         the tenant
//   $seqs    LIST<INTEGER>  the entries
// Returns
//   vectors  LIST<LIST<ANY>>  seq and vectors of each
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param seqs => [1];

UNWIND $seqs AS wanted
MATCH (entry:_Entry {tenant: $tenant, seq: wanted})
RETURN collect([entry.seq, entry.vectors]) AS vectors;
