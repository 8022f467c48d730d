// Records that an agent read these in a task, with the content that it saw; once for each task.
//
// Parameters
//   $tenant        STRING        the tenant
//   $agent         STRING        the agent
//   $task          STRING        the task
//   $ids           LIST<STRING>  what it read
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   written  INTEGER  how many were new
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param task => 't-17';
//   :param ids => ['mem:1'];
//   :param clock_offset => 0;

MATCH (agent:MapNode:Agent {tenant: $tenant, id: $agent})
OPTIONAL MATCH (seen:MapNode {tenant: $tenant})-[:READ_BY {task: $task}]->(agent)
WITH agent, collect(seen.id) AS known
UNWIND [id IN $ids WHERE NOT id IN known] AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
CREATE (node)-[:READ_BY {at: datetime() + duration({milliseconds: $clock_offset}), task: $task, content_hash: node.content_hash}]->(agent)
RETURN count(*) AS written;
