// Keeps the vector of a query for the task, so that the gate can know that something was withheld.
//
// Parameters
//   $tenant  STRING   the tenant
//   $agent   STRING   who asked
//   $task    STRING   the task
//   $vector  BYTES    the query as float32
//   $k       INTEGER  how many were asked for
// Returns
//   task  STRING  the task
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param task => 't-17';
//   :param vector => null;
//   :param k => 5;

CREATE (query:_Query {tenant: $tenant, agent: $agent, task: $task, vector: $vector, k: $k})
RETURN query.task AS task;
