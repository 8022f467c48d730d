// A node with all it came from and who wrote it: ids, kinds, captions and states, for a page or a table.
// An action counts with its evidence.
//
// Parameters
//   $tenant  STRING   the tenant
//   $id      STRING   the node
//   $limit   INTEGER  how many nodes at most
// Returns
//   id       STRING           a node
//   kind     STRING           its label
//   caption  STRING           a short text
//   state    STRING           active, revoked, affected or erased
//   hops     INTEGER          how far above
//   facts    MAP              scope, class, standing, outcome, trust
//   edges    LIST<LIST<ANY>>  type and target of its edges, with who declared them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param id => 'mem:1';
//   :param limit => 2000;

MATCH (root:MapNode {tenant: $tenant, id: $id})
CALL (root) {
  MATCH path = (root)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN node, min(length(path)) AS hops
UNION
  MATCH (root)<-[:USED_FOR_ACTION]-(evidence)
  MATCH path = (evidence)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(node)
  RETURN node, min(length(path)) + 1 AS hops
}
WITH node, min(hops) AS hops
ORDER BY hops, node.seq LIMIT $limit
RETURN node.id AS id,
  [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind,
  node.caption AS caption,
  CASE
    WHEN node.erased_at IS NOT NULL THEN 'erased'
    WHEN CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END THEN 'revoked'
    WHEN node:Affected THEN 'affected'
    ELSE 'active'
  END AS state,
  hops,
  {scope: node.scope, source_class: node.source_class, standing: node.standing,
    outcome: node.outcome, rule: node.rule, trust: node.trust} AS facts,
  COLLECT {
    MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM|WRITTEN_BY|INVALIDATED_BY]->(other)
    RETURN [type(edge), other.id, edge.declared_by, [label IN labels(other) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], other.caption]
  } + COLLECT {
    MATCH (node)<-[edge:USED_FOR_ACTION]-(other)
    RETURN ['USED_FOR_ACTION', other.id, edge.role, [label IN labels(other) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0], other.caption]
  } AS edges
ORDER BY hops, node.seq;
