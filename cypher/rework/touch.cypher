// Grades one record anew, after a verification.
//
// Parameters
//   $tenant  STRING   the tenant
//   $seq     INTEGER  the record
//   $trust   FLOAT    its path trust
// Returns
//   seq  INTEGER  the record
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param seq => 1;
//   :param trust => 0.5;

MATCH (turn:_Tenant {tenant: $tenant})
MATCH (entry:_Entry {tenant: $tenant, seq: $seq})
SET entry.trust = $trust, entry.epoch = turn.epoch
RETURN entry.seq AS seq;
