// Grants of users with a field that is missing or mistyped, or for nobody that is registered.
//
// Parameters
//   $tenant  STRING   the tenant
//   $sample  INTEGER  how many ids at most
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;

MATCH (grant:_Grant {tenant: $tenant})
UNWIND [
  CASE WHEN grant.id IS :: STRING NOT NULL THEN null ELSE 'field `id`' END,
  CASE WHEN grant.scopes IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'field `scopes`' END,
  CASE WHEN grant.rights IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'field `rights`' END,
  CASE WHEN grant.valid_from IS :: ZONED DATETIME NOT NULL THEN null ELSE 'field `valid_from`' END,
  CASE WHEN grant.valid_to IS :: ZONED DATETIME THEN null ELSE 'field `valid_to`' END,
  CASE WHEN grant.revoked_at IS :: ZONED DATETIME THEN null ELSE 'field `revoked_at`' END,
  CASE WHEN EXISTS { (:MapNode:User {tenant: $tenant, id: grant.principal}) } THEN null
    ELSE 'for nobody that is registered' END] AS what
WITH what, coalesce(toStringOrNull(grant.id), 'grant ' + elementId(grant)) AS id WHERE what IS NOT NULL
WITH what, id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
