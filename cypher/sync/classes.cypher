// The clauses of access classes.
//
// Parameters
//   $tenant   STRING         the tenant
//   $numbers  LIST<INTEGER>  the classes
// Returns
//   number   INTEGER       a class
//   clauses  LIST<STRING>  its clauses; the principals of one stand in lines
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param numbers => [1];

UNWIND $numbers AS wanted
MATCH (class:_AccessClass {tenant: $tenant, number: wanted})
RETURN class.number AS number, class.clauses AS clauses
ORDER BY number;
