// Brings the marker labels in line: Revoked with the flag, and Affected off whatever is no record.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   changed  INTEGER  how many nodes
// Access
//   write
// Try it
//   :param tenant => 'default';

MATCH (node:MapNode {tenant: $tenant})
WITH node, CASE WHEN node.revoked IS :: BOOLEAN NOT NULL AND node.revoked THEN true ELSE false END AS flag
WHERE flag <> node:Revoked OR (node:Affected AND NOT (node:Message OR node:Memory OR node:Claim))
FOREACH (_ IN CASE WHEN flag THEN [1] ELSE [] END | SET node:Revoked)
FOREACH (_ IN CASE WHEN flag THEN [] ELSE [1] END | REMOVE node:Revoked)
FOREACH (_ IN CASE WHEN node:Message OR node:Memory OR node:Claim THEN [] ELSE [1] END | REMOVE node:Affected)
RETURN count(*) AS changed;
