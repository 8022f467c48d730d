// The access classes of given keys.
//
// Parameters
//   $tenant  STRING        the tenant
//   $keys    LIST<STRING>  keys of classes
// Returns
//   key     STRING   a class that exists
//   number  INTEGER  its number
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param keys => [''];

UNWIND $keys AS wanted
MATCH (class:_AccessClass {tenant: $tenant, key: wanted})
RETURN class.key AS key, class.number AS number
ORDER BY number;
