// The next records with what is kept for them, and the facts from which it can be worked out anew, parents
// first: own facts, and those of every source that they came from.
//
// Parameters
//   $tenant  STRING   the tenant
//   $after   INTEGER  records of later numbers are returned
//   $batch   INTEGER  how many at most
// Returns
//   records  LIST<MAP>  facts, parents and entry of each, in order
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param after => -1;
//   :param batch => 2000;

MATCH (node:MapNode {tenant: $tenant})
WHERE node.seq > $after AND (node:Message OR node:Memory OR node:Claim)
WITH node ORDER BY node.seq LIMIT $batch
WITH node, COLLECT {
  MATCH (node)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
  RETURN [writer.id, [label IN labels(writer) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], coalesce(writer.standing, writer.source_class)]
} AS writers, COLLECT {
  MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
  RETURN {type: type(edge), at: coalesce(edge.occurred_at, edge.at), id: parent.id, seq: parent.seq,
    kind: [label IN labels(parent) WHERE label IN
      ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0],
    scope: parent.scope, expires_at: parent.expires_at, source_class: parent.source_class,
    standing: parent.standing, integrity: parent.integrity,
    closed: (CASE WHEN parent.revoked IS :: BOOLEAN NOT NULL THEN parent.revoked ELSE true END
      OR COUNT { (parent)-[:INVALIDATED_BY]->() } <> COUNT {
        (parent)-[mark:INVALIDATED_BY]->()
        WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
          OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
      }),
    tainted: EXISTS {
      (parent)-[mark:INVALIDATED_BY]->()
      WHERE mark.undone_at IS NULL AND (mark.since IS NOT NULL OR mark.until IS NOT NULL)
        AND (mark.since IS NULL OR coalesce(edge.occurred_at, edge.at) >= mark.since)
        AND (mark.until IS NULL OR coalesce(edge.occurred_at, edge.at) < mark.until)
    },
    sound: CASE WHEN parent.seq < node.seq AND coalesce(edge.occurred_at, edge.at) IS :: ZONED DATETIME NOT NULL
      AND parent.scope IS :: LIST<STRING NOT NULL> NOT NULL AND parent.revoked IS :: BOOLEAN NOT NULL
      AND (parent.expires_at IS NULL OR parent.expires_at IS :: ZONED DATETIME NOT NULL)
      AND size([label IN labels(parent) WHERE label IN
        ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']]) = 1
      AND CASE type(edge)
        WHEN 'OBSERVED_FROM' THEN parent:Resource OR parent:Tool OR parent:User
        ELSE (parent:Resource OR parent:Message OR parent:Memory OR parent:Claim)
          AND (type(edge) = 'DERIVED_FROM' OR NOT node:Claim)
      END THEN true ELSE false END}
} AS parents, head(COLLECT {
  MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
  RETURN {id: entry.id, label: entry.label, class: entry.class, expires_ms: entry.expires_ms, sif: entry.sif,
    floor: entry.floor, reliability: entry.reliability, trust: entry.trust, live: entry.live,
    parts: entry.parts, erased: coalesce(entry.erased, false)}
}) AS entry
RETURN collect({seq: node.seq, id: node.id, kind: [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0],
  scope: node.scope, integrity: node.integrity, expires_at: node.expires_at,
  revoked: (CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END
      OR COUNT { (node)-[:INVALIDATED_BY]->() } <> COUNT {
        (node)-[mark:INVALIDATED_BY]->()
        WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
          OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
      }),
  pending: node.pending, erased: node.erased_at IS NOT NULL, affected: node:Affected,
  text: node.text, content_hash: node.content_hash,
  verified: EXISTS { (node)-[:VERIFIED_BY]->() },
  sound: CASE WHEN node.tenant = $tenant
    AND size([label IN labels(node) WHERE label IN
      ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']]) = 1
    AND node.seq IS :: INTEGER NOT NULL
    AND node.revoked IS :: BOOLEAN NOT NULL
    AND (node.expires_at IS NULL OR node.expires_at IS :: ZONED DATETIME NOT NULL)
    AND node.scope IS :: LIST<STRING NOT NULL> NOT NULL
    AND node.parents IS :: INTEGER NOT NULL
    AND node.id IS :: STRING NOT NULL
    AND COUNT { (node)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->() } = node.parents
    AND size(parents) = node.parents THEN true ELSE false END,
  writers: writers, parents: parents, entry: entry}) AS records;
