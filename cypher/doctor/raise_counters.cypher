// Raises the counters of the tenant to what the graph holds; never lowers one.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   epoch  INTEGER  the policy revision
// Access
//   write
// Try it
//   :param tenant => 'default';

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

SET turn.seq = CASE WHEN turn.seq >= coalesce(seq, 0) THEN turn.seq ELSE coalesce(seq, 0) END,
  turn.classes = CASE WHEN turn.classes >= coalesce(classes, 0) THEN turn.classes ELSE coalesce(classes, 0) END
WITH turn, CASE WHEN coalesce(entry_epoch, 0) >= coalesce(action_epoch, 0) THEN coalesce(entry_epoch, 0)
  ELSE action_epoch END AS epoch
SET turn.epoch = CASE WHEN turn.epoch >= epoch THEN turn.epoch ELSE epoch + 1 END
RETURN turn.epoch AS epoch;
