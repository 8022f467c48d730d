// Sets the teams and roles of a user.
//
// Parameters
//   $tenant  STRING        the tenant
//   $user    STRING        the user
//   $teams   LIST<STRING>  its teams; null leaves them
//   $roles   LIST<STRING>  its roles; null leaves them
// Returns
//   id  STRING  the user
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param user => 'user:bob';
//   :param teams => ['team:finance'];
//   :param roles => [];

MATCH (user:MapNode:User {tenant: $tenant, id: $user})
SET user.teams = coalesce($teams, user.teams), user.roles = coalesce($roles, user.roles)
RETURN user.id AS id;
