// Entries of retrieval that stand for no record, or a second time for the same.
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

CALL () {
  MATCH (entry:_Entry {tenant: $tenant})
  WHERE NOT EXISTS {
    MATCH (node:MapNode {tenant: $tenant, seq: entry.seq}) WHERE node:Message OR node:Memory OR node:Claim
  }
  RETURN 'an entry without its record' AS what, coalesce(toStringOrNull(entry.id), '?') AS id
UNION ALL
  MATCH (entry:_Entry {tenant: $tenant}) WHERE entry.seq IS NOT NULL
  WITH entry.seq AS seq, count(*) AS times, collect(entry.id)[0] AS first WHERE times > 1
  RETURN 'entries of one record' AS what, coalesce(toStringOrNull(first), '?') AS id
}
WITH what, id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
