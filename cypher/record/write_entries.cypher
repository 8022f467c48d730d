// Adds what the sidecar needs of each record: class, expiry, trust and vectors, at the epoch of the write.
//
// Parameters
//   $tenant   STRING     the tenant
//   $entries  LIST<MAP>  properties of each
// Returns
//   written  INTEGER  how many were added
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param entries => [{seq: 1, id: 'mem:1', epoch: 1}];

UNWIND $entries AS row
CREATE (entry:_Entry {tenant: $tenant, seq: row.seq})
SET entry += row, entry.tenant = $tenant
RETURN count(*) AS written;
