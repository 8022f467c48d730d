// Grants a user scopes and rights beyond its teams and roles.
//
// Parameters
//   $tenant  STRING  the tenant
//   $grant   MAP     id, principal, scopes, rights, valid_from, valid_to and by
// Returns
//   id  STRING  the grant
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param grant => {id: 'grant:1', principal: 'user:bob', scopes: [], rights: ['verify'], valid_from: datetime()};

CREATE (grant:_Grant {tenant: $tenant, id: $grant.id})
SET grant += $grant, grant.tenant = $tenant
RETURN grant.id AS id;
