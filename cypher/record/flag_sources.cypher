// Brings the flags of sources in line with their revocations, and marks records that were born affected.
//
// Parameters
//   $tenant    STRING        the tenant
//   $sources   LIST<STRING>  sources whose revocations were recorded
//   $affected  LIST<STRING>  records that were born affected
// Returns
//   flagged  INTEGER  how many sources are revoked now
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param sources => ['res:1'];
//   :param affected => [];

CALL () {
  UNWIND $affected AS wanted
  MATCH (node:MapNode {tenant: $tenant, id: wanted})
  SET node:Affected
}
UNWIND $sources AS wanted
MATCH (source:MapNode {tenant: $tenant, id: wanted})
WITH source, EXISTS {
  (source)-[mark:INVALIDATED_BY]->()
  WHERE mark.undone_at IS NULL AND mark.since IS NULL AND mark.until IS NULL
} AS closed
SET source.revoked = closed
FOREACH (_ IN CASE WHEN closed THEN [1] ELSE [] END | SET source:Revoked)
FOREACH (_ IN CASE WHEN closed THEN [] ELSE [1] END | REMOVE source:Revoked)
RETURN count(CASE WHEN closed THEN 1 END) AS flagged;
