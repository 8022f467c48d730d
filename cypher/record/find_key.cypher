// The first answer to a call that carried this key; no row when it is new.
//
// Parameters
//   $tenant  STRING  the tenant
//   $actor   STRING  who called
//   $key     STRING  the key of the call
// Returns
//   answer  STRING  the answer, as JSON
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param actor => 'agent:reader';
//   :param key => 'call-1';

MATCH (key:_Key {tenant: $tenant, actor: $actor, key: $key})
RETURN key.answer AS answer;
