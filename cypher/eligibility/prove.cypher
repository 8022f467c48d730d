// Which of the given records an agent may read now, proved by ancestry: every node that a record
// came from, itself included, must be shown well-formed, unrevoked, unexpired and open to the
// agent. What is not shown is not returned. This is the proof of the winners (SPEC 5).
//
// Parameters
//   $tenant        STRING        the tenant
//   $agent         STRING        the agent that asks
//   $principals    LIST<STRING>  what it holds, by eligibility/principals in the same transaction
//   $ids           LIST<STRING>  the records to prove, by id
//   $seqs          LIST<INTEGER> the records to prove, by the number of their entry
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   id            STRING   a record that the agent may read
//   seq           INTEGER  its number
//   kind          STRING   its label
//   text          STRING   what it says
//   content_hash  STRING   its keyed hash
//   verifiable    BOOLEAN  whether anybody verified it
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param principals => ['agent:reader', 'team:finance', '*', 'public'];
//   :param ids => ['mem:1'];
//   :param seqs => [];
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
UNWIND $ids + COLLECT {
  UNWIND $seqs AS seq
  MATCH (entry:_Entry {tenant: $tenant, seq: seq})
  RETURN entry.id
} AS wanted
MATCH (record:MapNode {tenant: $tenant, id: wanted})
CALL (record, now) {
  MATCH (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  WITH DISTINCT node, now
  RETURN count(node) AS size, count(CASE WHEN
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
    AND (any(principal IN node.scope WHERE principal IN $principals)
      OR ($principals <> []
        AND EXISTS { (node)-[:WRITTEN_BY]->(:Agent {tenant: $tenant, id: $agent}) }))
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
WITH record, size, proved
WHERE size = proved
RETURN record.id AS id,
  record.seq AS seq,
  [label IN labels(record) WHERE label IN
    ['User', 'Tool', 'Resource', 'Message', 'Memory', 'Claim']][0] AS kind,
  record.text AS text,
  record.content_hash AS content_hash,
  EXISTS { (record)-[:VERIFIED_BY]->() } AS verifiable
ORDER BY seq;
