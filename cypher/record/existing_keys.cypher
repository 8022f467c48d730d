// Which of these keys were used by an actor.
//
// Parameters
//   $tenant  STRING        the tenant
//   $actor   STRING        the actor
//   $keys    LIST<STRING>  keys
// Returns
//   found  LIST<STRING>  those that were used
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param actor => 'ingest';
//   :param keys => ['k'];

UNWIND $keys AS wanted
MATCH (key:_Key {tenant: $tenant, actor: $actor, key: wanted})
RETURN collect(key.key) AS found;
