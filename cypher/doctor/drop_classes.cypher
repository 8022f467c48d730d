// Deletes access classes that are not what their keys say; their records get a class of their own again.
//
// Parameters
//   $tenant   STRING         the tenant
//   $numbers  LIST<INTEGER>  the classes
// Returns
//   dropped  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param numbers => [1];

UNWIND $numbers AS wanted
MATCH (class:_AccessClass {tenant: $tenant, number: wanted})
DELETE class
RETURN count(*) AS dropped;
