// What users are granted beyond their teams and roles, for an export; withdrawn grants are left out.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   grants  LIST<MAP>  principal, scopes, rights, valid_from and valid_to of each
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (grant:_Grant {tenant: $tenant})
WHERE grant.revoked_at IS NULL
WITH grant ORDER BY grant.valid_from, grant.id
RETURN collect(grant {.principal, .scopes, .rights, .valid_from, .valid_to}) AS grants;
