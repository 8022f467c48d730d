// The messages sent to an agent that it has not read yet, oldest first.
//
// Parameters
//   $tenant  STRING   the tenant
//   $agent   STRING   the recipient
//   $limit   INTEGER  how many at most
// Returns
//   id   STRING   a message
//   seq  INTEGER  its number
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param limit => 100;

MATCH (agent:MapNode:Agent {tenant: $tenant, id: $agent})<-[:FORWARDED_TO]-(message:Message {tenant: $tenant})
WHERE NOT EXISTS { (message)-[:READ_BY]->(agent) }
WITH DISTINCT message
RETURN message.id AS id, message.seq AS seq
ORDER BY seq LIMIT $limit;
