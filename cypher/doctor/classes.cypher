// All access classes with their keys, to see whether each is still what its key says.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   classes  LIST<LIST<ANY>>  number, key and clauses of each
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (class:_AccessClass {tenant: $tenant})
WITH class ORDER BY class.number
RETURN collect([class.number, class.key, class.clauses]) AS classes;
