// Counters of the tenant that stand behind what the graph holds, so that a number would be given out twice.
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

MATCH (turn:_Tenant {tenant: $tenant})
CALL () {
  MATCH (node:MapNode {tenant: $tenant}) WHERE node.seq IS :: INTEGER NOT NULL
  RETURN max(node.seq) AS seq
}
CALL () {
  MATCH (entry:_Entry {tenant: $tenant}) WHERE entry.epoch IS :: INTEGER NOT NULL
  RETURN max(entry.epoch) AS entry_epoch
}
CALL () {
  MATCH (action:Action {tenant: $tenant}) WHERE action.epoch IS :: INTEGER NOT NULL
  RETURN max(action.epoch) AS action_epoch
}
CALL () {
  MATCH (class:_AccessClass {tenant: $tenant}) WHERE class.number IS :: INTEGER NOT NULL
  RETURN max(class.number) + 1 AS classes
}

UNWIND [
  CASE WHEN turn.seq >= coalesce(seq, 0) THEN null ELSE 'seq' END,
  CASE WHEN turn.epoch >= coalesce(entry_epoch, 0) AND turn.epoch >= coalesce(action_epoch, 0) THEN null ELSE 'epoch' END,
  CASE WHEN turn.classes >= coalesce(classes, 0) THEN null ELSE 'classes' END
] AS counter
WITH counter WHERE counter IS NOT NULL
RETURN 'counter `' + counter + '`' AS what, count(*) AS found, [$tenant][..$sample] AS ids
ORDER BY what;
