// Destroys the content of the next records of an erasure: texts, captions, metadata, vectors and stored
// arguments of actions that used them. Ids, edges and keyed hashes stay.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the revocation
//   $batch         INTEGER  how many at most
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   erased  INTEGER  how many were erased
//   done    BOOLEAN  whether that was the last of them
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'rev:1';
//   :param batch => 10000;
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn, datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (root:MapNode {tenant: $tenant})-[:INVALIDATED_BY {id: $id, kind: 'erasure'}]->()
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN DISTINCT node
}
WITH turn, now, node WHERE node.erased_at IS NULL
WITH turn, now, node ORDER BY node.seq LIMIT $batch
WITH turn, now, collect(node) AS nodes // no row when nothing is left
CALL (turn, now, nodes) {
  UNWIND nodes AS node
  SET node.erased_at = now
  REMOVE node.text, node.caption, node.metadata
  WITH turn, node
  CALL (turn, node) {
    MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
    SET entry.live = false, entry.epoch = turn.epoch, entry.erased = true
    REMOVE entry.vectors
  }
  CALL (node) {
    MATCH (node)-[:USED_FOR_ACTION]->(action:Action {tenant: $tenant})
    MATCH (call:_Call {tenant: $tenant, decision: action.id})
    REMOVE call.arguments
  }
}
RETURN size(nodes) AS erased, size(nodes) < $batch AS done;
