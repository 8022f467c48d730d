// What a user holds and may do at this moment; no row when the tenant does not hold it.
//
// Parameters
//   $tenant        STRING   the tenant
//   $user          STRING   the user
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   id          STRING        the user
//   active      BOOLEAN       whether it is neither revoked nor compromised
//   principals  LIST<STRING>  itself, its teams and roles, and what it was granted
//   rights      LIST<STRING>  its own rights and those granted
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param user => 'user:alice';
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (user:MapNode:User {tenant: $tenant, id: $user})
OPTIONAL MATCH (grant:_Grant {tenant: $tenant, principal: user.id})
WHERE grant.scopes IS :: LIST<STRING NOT NULL> NOT NULL
  AND grant.rights IS :: LIST<STRING NOT NULL> NOT NULL
  AND grant.revoked_at IS NULL
  AND grant.valid_from IS :: ZONED DATETIME NOT NULL AND grant.valid_from <= now
  AND (grant.valid_to IS NULL
    OR (grant.valid_to IS :: ZONED DATETIME NOT NULL AND now < grant.valid_to))
WITH user, collect(grant.scopes) AS scopes, collect(grant.rights) AS rights
RETURN user.id AS id,
  coalesce(user.revoked IS :: BOOLEAN NOT NULL AND NOT user.revoked
    AND user.standing IN ['new', 'established'], false) AS active,
  reduce(all = [user.id] + coalesce(user.teams, []) + coalesce(user.roles, []), s IN scopes | all + s)
    AS principals,
  reduce(all = ['read', 'write', 'act', 'delegate'], r IN rights | all + r) AS rights;
