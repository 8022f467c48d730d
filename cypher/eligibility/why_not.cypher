// Why an agent may not read a record: every node of its lineage that closes it, the nearest first,
// with the reason. No row means that nothing closes it.
//
// Parameters
//   $tenant        STRING        the tenant
//   $agent         STRING        the agent that asks
//   $principals    LIST<STRING>  what it holds, by eligibility/principals in the same transaction
//   $id            STRING        the record
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   id      STRING   a node that closes the record
//   hops    INTEGER  how far above the record it stands
//   reason  STRING   pending, malformed, revoked, invalidated, expired or scope
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param principals => ['agent:reader', 'team:finance', '*', 'public'];
//   :param id => 'mem:1';
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (record:MapNode {tenant: $tenant, id: $id})
CALL (record) { // a scope of its own: each node once, whatever the statistics
  MATCH path = (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN node, min(length(path)) AS hops
}
CALL (node, hops, now) {
  RETURN node AS closing, hops AS distance, CASE
    WHEN node.pending IS NOT NULL THEN 'pending'
    WHEN node.tenant = $tenant
      AND size([label IN labels(node) WHERE label IN
        ['User', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Agent', 'Action']]) = 1
      AND (node:User OR node:Tool OR node:Resource OR node:Message OR node:Memory OR node:Claim)
      AND node.seq IS :: INTEGER NOT NULL
      AND node.revoked IS :: BOOLEAN NOT NULL
      AND (node.expires_at IS NULL OR node.expires_at IS :: ZONED DATETIME NOT NULL)
      AND node.scope IS :: LIST<STRING NOT NULL> NOT NULL
      AND node.parents IS :: INTEGER NOT NULL
      AND COUNT { (node)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->() } = node.parents
      AND node.parents = COUNT {
        (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
        WHERE CASE WHEN parent.seq < node.seq THEN true END // else a kept plan may seek by number
          AND CASE type(edge)
            WHEN 'OBSERVED_FROM' THEN (node:Message OR node:Memory OR node:Claim)
              AND (parent:Resource OR parent:Tool OR parent:User)
            WHEN 'DERIVED_FROM' THEN (node:Message OR node:Memory OR node:Claim)
              AND (parent:Resource OR parent:Message OR parent:Memory OR parent:Claim)
            ELSE (node:Message OR node:Memory)
              AND (parent:Resource OR parent:Message OR parent:Memory OR parent:Claim)
          END
          AND coalesce(edge.occurred_at, edge.at) IS :: ZONED DATETIME NOT NULL
      }
    THEN CASE
      WHEN node.revoked OR COUNT { (node)-[:INVALIDATED_BY]->() } <> COUNT {
        (node)-[mark:INVALIDATED_BY]->()
        WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
          OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
      } THEN CASE
        WHEN EXISTS {
          (node)-[mark:INVALIDATED_BY]->()
          WHERE mark.undone_at IS NULL AND mark.since IS NULL AND mark.until IS NULL
            AND mark.kind = 'invalid'
        } THEN 'invalidated'
        ELSE 'revoked'
      END
      WHEN NOT (node.expires_at IS NULL OR now < node.expires_at) THEN 'expired'
      WHEN NOT (any(principal IN node.scope WHERE principal IN $principals)
        OR ($principals <> []
          AND EXISTS { (node)-[:WRITTEN_BY]->(:Agent {tenant: $tenant, id: $agent}) }))
      THEN 'scope'
      ELSE 'sound'
    END
    ELSE 'malformed'
  END AS reason
UNION
  MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent)
  WHERE COUNT { (parent)-[:INVALIDATED_BY]->() } <> COUNT {
    (parent)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
      OR (mark.since IS NULL AND mark.until IS NULL)
      OR coalesce(edge.occurred_at, edge.at) < mark.since
      OR coalesce(edge.occurred_at, edge.at) >= mark.until
  }
  RETURN parent AS closing, hops + 1 AS distance, 'revoked' AS reason
}
WITH closing, min(distance) AS hops, reason WHERE reason <> 'sound'
RETURN closing.id AS id, hops, reason
ORDER BY hops, closing.seq, id, reason;
