// Approves one decision, once, with an expiry, bound to what it stood on.
//
// Parameters
//   $tenant        STRING   the tenant
//   $decision      STRING   the decision
//   $by            STRING   who approves
//   $minutes       INTEGER  how long it holds
//   $binding       STRING   hash of what it is bound to
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   decision  STRING  the decision
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param decision => 'act:1';
//   :param by => 'user:bob';
//   :param minutes => 60;
//   :param binding => '';
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
CREATE (approval:_Approval {tenant: $tenant, decision: $decision, by: $by, at: now,
  expires_at: now + duration({minutes: $minutes}), binding: $binding})
RETURN approval.decision AS decision;
