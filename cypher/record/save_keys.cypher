// Keeps keys of an import, so that a replay changes nothing.
//
// Parameters
//   $tenant  STRING        the tenant
//   $actor   STRING        the actor
//   $keys    LIST<STRING>  keys
// Returns
//   written  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param actor => 'ingest';
//   :param keys => ['k'];

UNWIND $keys AS wanted
CREATE (:_Key {tenant: $tenant, actor: $actor, key: wanted, answer: 'null'})
RETURN count(*) AS written;
