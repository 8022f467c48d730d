// Adds access classes: the sets of clauses that memories with the same scopes above them share.
//
// Parameters
//   $tenant   STRING     the tenant
//   $classes  LIST<MAP>  key, number and clauses of each
// Returns
//   written  INTEGER  how many were added
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param classes => [{key: 'k', number: 1, clauses: []}];

MATCH (turn:_Tenant {tenant: $tenant})
CALL (turn) {
  UNWIND $classes AS row
  CREATE (class:_AccessClass {tenant: $tenant, key: row.key, number: row.number, clauses: row.clauses})
  RETURN count(class) AS written
}
SET turn.classes = turn.classes + written
RETURN written;
