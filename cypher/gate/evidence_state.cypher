// What closes each piece of evidence: kinds of the revocations above it or on it. A flag without an edge
// counts as access; whatever cannot be read as harmless counts.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the evidence
// Returns
//   id     STRING        the evidence
//   kinds  LIST<STRING>  kinds of what closes it; empty when nothing does
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (item:MapNode {tenant: $tenant, id: wanted})
CALL (item) {
  MATCH (item)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  WITH DISTINCT node
  CALL (node) {
    MATCH (node)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS NULL AND mark.since IS NULL AND mark.until IS NULL
    RETURN coalesce(mark.kind, 'access') AS kind
  UNION
    WITH node WHERE node.source_class = 'poisoned'
    RETURN 'reliability' AS kind
  UNION
    WITH node
    WHERE CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END AND NOT EXISTS {
      (node)-[mark:INVALIDATED_BY]->()
      WHERE mark.undone_at IS NULL AND mark.since IS NULL AND mark.until IS NULL
    }
    RETURN 'access' AS kind
  UNION
    MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS NULL AND (mark.since IS NOT NULL OR mark.until IS NOT NULL)
      AND NOT coalesce(coalesce(edge.occurred_at, edge.at) < mark.since, false)
      AND NOT coalesce(coalesce(edge.occurred_at, edge.at) >= mark.until, false)
    RETURN coalesce(mark.kind, 'access') AS kind
  }
  RETURN collect(DISTINCT kind) AS kinds
}
RETURN item.id AS id, kinds
ORDER BY id;
