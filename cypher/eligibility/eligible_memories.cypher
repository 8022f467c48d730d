// Every memory and claim that an agent may read now, proved by ancestry; the authority behind
// the access classes, which are its cache. Complete: nothing is cut. Each node is looked at once:
// what is sound itself and came from nothing that is not.
//
// Parameters
//   $tenant        STRING        the tenant
//   $agent         STRING        the agent that asks
//   $principals    LIST<STRING>  what it holds, by eligibility/principals in the same transaction
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   ids  LIST<STRING>  the eligible records, oldest first
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => 'agent:reader';
//   :param principals => ['agent:reader', 'team:finance', '*', 'public'];
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (node:MapNode {tenant: $tenant})
WHERE node:User OR node:Tool OR node:Resource OR node:Message OR node:Memory OR node:Claim
WITH node, CASE WHEN
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
    THEN true ELSE false END AS sound
WITH collect(CASE WHEN NOT sound THEN node END) AS closed,
  collect(CASE WHEN sound AND (node:Memory OR node:Claim) THEN node END) AS records
CALL (closed) {
  UNWIND closed AS source
  MATCH (source)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]-(child)
  WHERE NOT child IN closed // what is closed itself needs no walk of its own
  WITH DISTINCT child
  MATCH (child)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN collect(DISTINCT node) AS lost
}
UNWIND records AS record
WITH record WHERE NOT record IN lost
WITH record ORDER BY record.seq
RETURN collect(record.id) AS ids;
