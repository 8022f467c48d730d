// Keeps the arguments of a proposed action apart from its record, for its execution alone.
//
// Parameters
//   $tenant          STRING  the tenant
//   $decision        STRING  the decision
//   $arguments       STRING  the arguments, as JSON
//   $arguments_hash  STRING  their hash
//   $binding         STRING  hash of action, arguments, policy and evidence with its ancestry
// Returns
//   decision  STRING  the decision
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param decision => 'act:1';
//   :param arguments => '{}';
//   :param arguments_hash => '';
//   :param binding => '';

CREATE (call:_Call {tenant: $tenant, decision: $decision, arguments: $arguments,
  arguments_hash: $arguments_hash, binding: $binding})
RETURN call.decision AS decision;
