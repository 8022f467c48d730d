// What an agent read or wrote itself in a task: its read set.
//
// Parameters
//   $tenant  STRING  the tenant
//   $agent   STRING  the agent
//   $task    STRING  the task
// Returns
//   id         STRING   a record or resource
//   kind       STRING   its label
//   unchanged  BOOLEAN  whether it still has the content that was read
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param task => 't-17';

MATCH (agent:MapNode:Agent {tenant: $tenant, id: $agent})
CALL (agent) {
  MATCH (node:MapNode {tenant: $tenant})-[read:READ_BY {task: $task}]->(agent)
  RETURN node, read.content_hash = node.content_hash AS unchanged
UNION
  MATCH (node:MapNode {tenant: $tenant})-[:WRITTEN_BY {task: $task}]->(agent)
  WHERE NOT node:Action
  RETURN node, true AS unchanged
}
WITH node, collect(coalesce(unchanged, false)) AS seen
RETURN node.id AS id,
  [label IN labels(node) WHERE label IN ['Resource', 'Message', 'Memory', 'Claim']][0] AS kind,
  true IN seen AS unchanged
ORDER BY node.seq;
