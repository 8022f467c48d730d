// Decisions, their stored calls and their approvals that do not go together, or are of a later epoch.
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
  MATCH (call:_Call {tenant: $tenant})
  WHERE NOT EXISTS { (:MapNode:Action {tenant: $tenant, id: call.decision}) }
  RETURN 'a call without its decision' AS what, call.decision AS id
UNION ALL
  MATCH (approval:_Approval {tenant: $tenant})
  WHERE NOT EXISTS { (:MapNode:Action {tenant: $tenant, id: approval.decision}) }
  RETURN 'an approval without its decision' AS what, approval.decision AS id
UNION ALL
  MATCH (action:Action {tenant: $tenant})
  WITH action, epoch, EXISTS { (:_Call {tenant: $tenant, decision: action.id}) } AS called,
    EXISTS { (:_Approval {tenant: $tenant, decision: action.id}) } AS approved
  UNWIND [
    CASE WHEN action.state <> 'recorded' AND NOT called THEN 'a decision without its call' END,
    CASE WHEN action.state = 'approved' AND NOT approved THEN 'approved, but by nobody' END,
    CASE WHEN action.epoch > epoch THEN 'a decision of a later epoch than the graph' END] AS what
  WITH action, what WHERE what IS NOT NULL
  RETURN what, action.id AS id
}
WITH what, coalesce(toStringOrNull(id), '?') AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
