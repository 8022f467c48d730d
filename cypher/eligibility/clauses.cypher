// The clauses of records: for each, the own scope of everything it came from, with the agent that
// wrote it; a reader must match every clause. A record whose lineage is not sound is absent.
//
// Parameters
//   $tenant        STRING        the tenant
//   $ids           LIST<STRING>  the records
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   id       STRING              a record with a sound lineage
//   clauses  LIST<LIST<STRING>>  the clauses, without repeats
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
UNWIND $ids AS wanted
MATCH (record:MapNode {tenant: $tenant, id: wanted})
CALL (record, now) {
  MATCH (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  WITH DISTINCT node, now
  RETURN collect(DISTINCT CASE WHEN node.scope IS :: LIST<STRING NOT NULL> NOT NULL THEN
      node.scope + COLLECT { MATCH (node)-[:WRITTEN_BY]->(writer:Agent {tenant: $tenant}) RETURN writer.id }
    ELSE [] END) AS clauses,
    count(node) AS size, count(CASE WHEN
    node.tenant = $tenant
    AND size([label IN labels(node) WHERE label IN
      ['User', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Agent', 'Action']]) = 1
    AND (node:User OR node:Tool OR node:Resource OR node:Message OR node:Memory OR node:Claim)
    AND node.seq IS :: INTEGER NOT NULL
    AND node.pending IS NULL
    AND node.revoked IS :: BOOLEAN NOT NULL AND NOT node.revoked
    AND (node.expires_at IS NULL
      OR (node.expires_at IS :: ZONED DATETIME NOT NULL AND now < node.expires_at))
    AND node.scope IS :: LIST<STRING NOT NULL> NOT NULL
    AND COUNT { (node)-[:INVALIDATED_BY]->() } = COUNT {
      (node)-[mark:INVALIDATED_BY]->()
      WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
        OR mark.since IS :: ZONED DATETIME NOT NULL OR mark.until IS :: ZONED DATETIME NOT NULL
    }
    AND node.parents IS :: INTEGER NOT NULL
    AND COUNT { (node)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->() } = node.parents
    AND node.parents = COUNT {
      (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
      WHERE CASE WHEN parent.seq < node.seq THEN true END // else a kept plan may seek by number
        AND CASE type(edge)
          WHEN 'OBSERVED_FROM' THEN (node:Message OR node:Memory OR node:Claim)
            AND any(kind IN labels(parent) WHERE kind IN ['Resource', 'Tool', 'User'])
          WHEN 'DERIVED_FROM' THEN (node:Message OR node:Memory OR node:Claim)
            AND any(kind IN labels(parent)
              WHERE kind IN ['Resource', 'Message', 'Memory', 'Claim'])
          ELSE (node:Message OR node:Memory)
            AND any(kind IN labels(parent)
              WHERE kind IN ['Resource', 'Message', 'Memory', 'Claim'])
        END
        AND coalesce(edge.occurred_at, edge.at) IS :: ZONED DATETIME NOT NULL
        AND COUNT { (parent)-[:INVALIDATED_BY]->() } = COUNT {
          (parent)-[mark:INVALIDATED_BY]->()
          WHERE mark.undone_at IS :: ZONED DATETIME NOT NULL
            OR coalesce(edge.occurred_at, edge.at) < mark.since
            OR coalesce(edge.occurred_at, edge.at) >= mark.until
        }
    }
    THEN 1 END) AS proved
}
WITH record, clauses, size, proved
WHERE size = proved
RETURN record.id AS id, clauses
ORDER BY id;
