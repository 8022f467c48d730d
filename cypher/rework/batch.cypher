// The next records to work out again: own facts and those of the parents, parents first.
//
// Parameters
//   $tenant  STRING   the tenant
//   $id      STRING   the change
//   $ticket  STRING   which start of it, by rework/pending
//   $batch   INTEGER  how many at most
// Returns
//   records  LIST<MAP>  seq, id, scope, writers, integrity, revoked, expires_at, parents of each, in order
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'work:1';
//   :param ticket => '';
//   :param batch => 5000;

MATCH (work:_Rework {tenant: $tenant, id: $id})
WHERE coalesce(work.ticket, '') = $ticket
MATCH (root:MapNode {tenant: $tenant, id: work.root})
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN DISTINCT node
}
WITH work, node
WHERE node.seq > work.cursor AND (node:Message OR node:Memory OR node:Claim)
WITH node ORDER BY node.seq LIMIT $batch
WITH node, COLLECT {
  MATCH (node)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
  RETURN [writer.id, [label IN labels(writer) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], coalesce(writer.standing, writer.source_class)]
} AS writers, COLLECT {
  MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
  OPTIONAL MATCH (entry:_Entry {tenant: $tenant, seq: parent.seq})
  OPTIONAL MATCH (class:_AccessClass {tenant: $tenant, number: entry.class})
  RETURN {type: type(edge), at: coalesce(edge.occurred_at, edge.at), id: parent.id, seq: parent.seq,
    kind: [label IN labels(parent) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], scope: parent.scope, expires_at: parent.expires_at,
    source_class: parent.source_class, standing: parent.standing, integrity: parent.integrity,
    closed: CASE WHEN parent.revoked IS :: BOOLEAN NOT NULL THEN parent.revoked ELSE true END OR parent:Affected OR EXISTS {
      (parent)-[mark:INVALIDATED_BY]->()
      WHERE mark.undone_at IS NULL AND (mark.since IS NOT NULL OR mark.until IS NOT NULL)
        AND (mark.since IS NULL OR coalesce(edge.occurred_at, edge.at) >= mark.since)
        AND (mark.until IS NULL OR coalesce(edge.occurred_at, edge.at) < mark.until)
    },
    tainted: EXISTS {
      (parent)-[mark:INVALIDATED_BY]->()
      WHERE mark.undone_at IS NULL AND (mark.since IS NOT NULL OR mark.until IS NOT NULL)
        AND (mark.since IS NULL OR coalesce(edge.occurred_at, edge.at) >= mark.since)
        AND (mark.until IS NULL OR coalesce(edge.occurred_at, edge.at) < mark.until)
    },
    revoked: CASE WHEN parent.revoked IS :: BOOLEAN NOT NULL THEN parent.revoked ELSE true END,
    clauses: class.clauses, expires_ms: entry.expires_ms, sif: entry.sif, floor: entry.floor,
    reliability: entry.reliability}
} AS parents
RETURN collect({seq: node.seq, id: node.id, kind: [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], scope: node.scope,
  writers: writers, integrity: node.integrity, revoked: CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END,
  expires_at: node.expires_at, verified: EXISTS { (node)-[:VERIFIED_BY]->() }, parents: parents}) AS records;
