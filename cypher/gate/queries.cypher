// The queries of a task.
//
// Parameters
//   $tenant  STRING  the tenant
//   $agent   STRING  who asked
//   $task    STRING  the task
// Returns
//   vector  BYTES    a query as float32
//   k       INTEGER  how many were asked for
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param task => 't-17';

MATCH (query:_Query {tenant: $tenant, agent: $agent, task: $task})
RETURN DISTINCT query.vector AS vector, query.k AS k;
