// Records what leaves to an agent, before it leaves: that it read these in a task, with the content
// that it saw, once for each task; the vector of its query, so that the gate can know that something
// was withheld; and the audit record.
//
// Parameters
//   $tenant        STRING        the tenant
//   $agent         STRING        the agent
//   $task          STRING        the task
//   $ids           LIST<STRING>  what it read
//   $query         MAP           vector (float32) and k of its query, or null
//   $audit         MAP           id, act, target, outcome and detail of the audit record
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   written  INTEGER  how many reads were new
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param task => 't-17';
//   :param ids => ['mem:1'];
//   :param query => null;
//   :param audit => {id: 'audit:1', act: 'read', target: 'mem:1', outcome: 'allowed', detail: '{}'};
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
MATCH (agent:MapNode:Agent {tenant: $tenant, id: $agent})
WITH turn, agent, datetime() + duration({milliseconds: $clock_offset}) AS now
CALL (agent, now) {
  UNWIND $ids AS wanted
  MATCH (node:MapNode {tenant: $tenant, id: wanted})
  WHERE NOT EXISTS { (node)-[:READ_BY {task: $task}]->(agent) }
  CREATE (node)-[:READ_BY {at: now, task: $task, content_hash: node.content_hash}]->(agent)
  RETURN count(*) AS written
}
CREATE (:_Audit {tenant: $tenant, id: $audit.id, at: now, actor: $agent, act: $audit.act,
  target: $audit.target, outcome: $audit.outcome, detail: $audit.detail, epoch: turn.epoch})
FOREACH (query IN CASE WHEN $query IS NULL THEN [] ELSE [$query] END |
  CREATE (:_Query {tenant: $tenant, agent: $agent, task: $task, vector: query.vector, k: query.k}))
RETURN written;
