// A stored decision with its call, approval and evidence; no row when there is none.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the decision
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   properties  MAP                 the record of the action
//   arguments   STRING              the stored arguments, as JSON
//   binding     STRING              what it was bound to
//   approval    MAP                 by, at, expires_at and binding of an approval
//   evidence    LIST<LIST<STRING>>  id and role
//   agent       STRING              who proposed it
//   now         ZONED DATETIME      the database clock
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'act:1';
//   :param clock_offset => 0;

MATCH (action:MapNode:Action {tenant: $tenant, id: $id})
OPTIONAL MATCH (call:_Call {tenant: $tenant, decision: action.id})
OPTIONAL MATCH (approval:_Approval {tenant: $tenant, decision: action.id})
RETURN properties(action) AS properties,
  call.arguments AS arguments,
  call.binding AS binding,
  properties(approval) AS approval,
  COLLECT {
    MATCH (item)-[use:USED_FOR_ACTION]->(action)
    RETURN [item.id, use.role] ORDER BY item.seq
  } AS evidence,
  head(COLLECT { MATCH (action)-[:WRITTEN_BY]->(agent:Agent) RETURN agent.id }) AS agent,
  datetime() + duration({milliseconds: $clock_offset}) AS now;
