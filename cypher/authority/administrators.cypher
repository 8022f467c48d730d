// Who administers the tenant.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   users  LIST<STRING>  every user that holds `administer` by a grant that was not withdrawn
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (grant:_Grant {tenant: $tenant})
WHERE 'administer' IN grant.rights AND grant.revoked_at IS NULL
RETURN collect(DISTINCT grant.principal) AS users;
