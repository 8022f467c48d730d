// Gaps of the audit that can be seen: acts that always leave a record and have none, and damaged records.
//
// Parameters
//   $tenant  STRING   the tenant
//   $sample  INTEGER  how many ids at most
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;

MATCH (turn:_Tenant {tenant: $tenant})
WITH max(turn.epoch) AS epoch
CALL (epoch) {
  WITH epoch WHERE epoch > 0 AND NOT EXISTS { (:_Audit {tenant: $tenant, act: 'init', outcome: 'allowed'}) }
  RETURN 'no record of how the tenant began' AS what, $tenant AS id
UNION ALL
  CALL () {
    MATCH (record:_Audit {tenant: $tenant, act: 'approve', outcome: 'allowed'})
    RETURN record.target AS decision, 1 AS kept
  UNION ALL
    MATCH (approval:_Approval {tenant: $tenant})
    RETURN approval.decision AS decision, 0 AS kept
  }
  WITH decision, sum(kept) AS kept WHERE kept = 0
  RETURN 'an approval without a record' AS what, decision AS id
UNION ALL
  MATCH (record:_Audit {tenant: $tenant})
  UNWIND [
    CASE WHEN record.at IS :: ZONED DATETIME NOT NULL AND record.actor IS :: STRING NOT NULL
      AND record.act IS :: STRING NOT NULL AND record.outcome IS :: STRING NOT NULL
      THEN null ELSE 'a record without its facts' END,
    CASE WHEN record.epoch > epoch THEN 'a record of a later epoch than the graph' END] AS what
  WITH record, what WHERE what IS NOT NULL
  RETURN what, record.id AS id
}
WITH what, coalesce(toStringOrNull(id), '?') AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
