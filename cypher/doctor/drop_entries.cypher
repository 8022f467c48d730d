// Deletes entries that stand for no record, and all but one of several for the same.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   dropped  INTEGER  how many
// Access
//   write
// Try it
//   :param tenant => 'default';

CALL () {
  MATCH (entry:_Entry {tenant: $tenant})
  WHERE entry.seq IS NULL OR NOT EXISTS {
    MATCH (node:MapNode {tenant: $tenant, seq: entry.seq}) WHERE node:Message OR node:Memory OR node:Claim
  }
  RETURN entry
UNION
  MATCH (entry:_Entry {tenant: $tenant}) WHERE entry.seq IS NOT NULL
  WITH entry.seq AS seq, collect(entry) AS same WHERE size(same) > 1
  UNWIND same[1..] AS entry
  RETURN entry
}
DELETE entry
RETURN count(*) AS dropped;
