// Lets verified records be ranked by the most that verification can make of them. What it makes of them
// now depends on the verifiers' standing and evidence, and is worked out with each proof.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the records
//   $factor  FLOAT         the most that verification multiplies path trust by
// Returns
//   touched  INTEGER  how many records
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];
//   :param factor => 1.2;

MATCH (turn:_Tenant {tenant: $tenant})
UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
WITH turn, entry, entry.sif * entry.reliability * $factor AS most
SET entry.trust = CASE WHEN most > 1.0 THEN 1.0 ELSE most END, entry.epoch = turn.epoch
RETURN count(*) AS touched;
