// Keeps the answer to a call, so that the same call again changes nothing.
//
// Parameters
//   $tenant  STRING  the tenant
//   $actor   STRING  who called
//   $key     STRING  the key of the call
//   $answer  STRING  the answer, as JSON
// Returns
//   key  STRING  the key
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param actor => 'agent:reader';
//   :param key => 'call-1';
//   :param answer => '{}';

CREATE (key:_Key {tenant: $tenant, actor: $actor, key: $key, answer: $answer, at: datetime()})
RETURN key.key AS key;
