// The read sets of many agents and tasks.
//
// Parameters
//   $tenant  STRING              the tenant
//   $pairs   LIST<LIST<STRING>>  agent and task of each
// Returns
//   agent  STRING        an agent
//   task   STRING        its task
//   ids    LIST<STRING>  what it read or wrote
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param pairs => [['agent:reader', 't-17']];

UNWIND $pairs AS pair
MATCH (agent:MapNode:Agent {tenant: $tenant, id: pair[0]})
CALL (agent, pair) {
  MATCH (node:MapNode {tenant: $tenant})-[:READ_BY {task: pair[1]}]->(agent)
  RETURN node
UNION
  MATCH (node:MapNode {tenant: $tenant})-[:WRITTEN_BY {task: pair[1]}]->(agent)
  WHERE NOT node:Action
  RETURN node
}
RETURN agent.id AS agent, pair[1] AS task, collect(node.id) AS ids
ORDER BY agent, task;
