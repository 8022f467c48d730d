// Marks the next descendants of a revoked source Affected, for administrators to see, and takes them out
// of every sidecar. Being cut off re-opens nothing: the ancestry path query closes them already.
//
// Parameters
//   $tenant  STRING   the tenant
//   $id      STRING   the change
//   $ticket  STRING   which start of it, by rework/pending
//   $batch   INTEGER  how many at most
// Returns
//   marked  INTEGER  how many were marked
//   done    BOOLEAN  whether that was the last of them
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'rev:1';
//   :param ticket => '';
//   :param batch => 100000;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn
MATCH (work:_Rework {tenant: $tenant, id: $id})
WHERE coalesce(work.ticket, '') = $ticket
MATCH (root:MapNode {tenant: $tenant, id: work.root})
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN DISTINCT node
}
WITH turn, work, root, node WHERE node.seq > work.cursor
WITH turn, work, root, node ORDER BY node.seq LIMIT $batch
WITH turn, work, root, collect(node) AS nodes
CALL (turn, root, nodes) {
  UNWIND nodes AS node
  FOREACH (_ IN CASE WHEN node <> root THEN [1] ELSE [] END | SET node:Affected)
  WITH turn, node
  MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
  SET entry.live = false, entry.epoch = turn.epoch
}
SET work.cursor = CASE WHEN nodes = [] THEN work.cursor ELSE nodes[-1].seq END
RETURN size(nodes) AS marked, size(nodes) < $batch AS done;
