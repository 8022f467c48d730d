// Nodes whose marker labels are not what they should be: Revoked follows the flag, and only records are Affected.
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

MATCH (node:MapNode {tenant: $tenant})
WITH node, CASE WHEN node.revoked IS :: BOOLEAN NOT NULL AND node.revoked THEN true ELSE false END AS flag
UNWIND [CASE WHEN flag AND NOT node:Revoked THEN 'not marked Revoked' END,
  CASE WHEN node:Revoked AND NOT flag THEN 'marked Revoked, but is not' END,
  CASE WHEN node:Affected AND NOT (node:Message OR node:Memory OR node:Claim)
    THEN 'marked Affected, but is no record' END] AS what
WITH node, what WHERE what IS NOT NULL
WITH what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
