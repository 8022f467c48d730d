// Records whose parent is not older than they are: what every cycle has at least once.
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

MATCH (child:MapNode {tenant: $tenant})-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent)
WHERE child.seq IS :: INTEGER NOT NULL AND parent.seq IS :: INTEGER NOT NULL AND parent.seq >= child.seq
WITH DISTINCT child ORDER BY child.seq
RETURN 'a parent is not older' AS what, count(child) AS found,
  collect(coalesce(toStringOrNull(child.id), 'node ' + elementId(child)))[..$sample] AS ids;
