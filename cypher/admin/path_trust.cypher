// Path trust of records, worked out here by one step from what is kept of their parents, beside what
// the engine kept of them. Since parents come first, two columns that agree for every record agree for
// every path: an administrator's check of the arithmetic. For a policy without half-lives.
//
// Parameters
//   $tenant   STRING        the tenant
//   $ids      LIST<STRING>  the records
//   $numbers  MAP           the policy's numbers: source, record, users, integrity, steps, human, host, agents
// Returns
//   id                STRING  the record
//   sif               FLOAT   weakest path: source, integrity and transformations
//   kept_sif          FLOAT   what is kept
//   floor             FLOAT   the same without transformations
//   kept_floor        FLOAT   what is kept
//   reliability       FLOAT   the least reliable writer
//   kept_reliability  FLOAT   what is kept
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];
//   :param numbers => { source: {internal_verified: 0.95, internal: 0.9, partner: 0.75, external: 0.65, unknown: 0.4, untrusted: 0.2, poisoned: 0.0}, record: 0.4, users: {established: 0.75, new: 0.4}, integrity: {intact: 1.0, incomplete: 0.5}, steps: {OBSERVED_FROM: 1.0, DERIVED_FROM: 0.95, SUMMARIZED_FROM: 0.9}, human: 1.0, host: 1.0, agents: {established: 0.98, new: 0.9}};

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
CALL (node) {
  OPTIONAL MATCH (node)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
  RETURN
    min(coalesce(CASE
      WHEN writer:Tool THEN $numbers.host
      WHEN writer:User AND writer.standing IN ['established', 'new'] THEN $numbers.human
      WHEN writer:Agent THEN $numbers.agents[writer.standing]
    END, 0.0)) AS writers,
    min(coalesce(CASE
      WHEN writer:Tool THEN $numbers.source[writer.source_class]
      WHEN writer:User THEN $numbers.users[writer.standing]
      WHEN writer:Agent THEN $numbers.record
    END, 0.0)) AS source
}
CALL (node) {
  MATCH (node)-[edge:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM]->(parent:MapNode {tenant: $tenant})
  OPTIONAL MATCH (above:_Entry {tenant: $tenant, seq: parent.seq})
  WITH edge, above, coalesce($numbers.integrity[parent.integrity], 0.0) * coalesce(CASE
    WHEN parent:Tool OR parent:Resource THEN $numbers.source[parent.source_class]
    WHEN parent:User THEN $numbers.users[parent.standing]
  END, 0.0) AS root
  RETURN min(coalesce(above.sif, root) * $numbers.steps[type(edge)]) AS path,
    min(coalesce(above.floor, root)) AS base, min(coalesce(above.reliability, 1.0)) AS above_writers
}
WITH node, entry, coalesce($numbers.integrity[node.integrity], 0.0) AS whole,
  coalesce(path, source) AS path, coalesce(base, source) AS base,
  [each IN [writers, above_writers] WHERE each IS NOT NULL] AS writers
RETURN node.id AS id,
  whole * path AS sif, entry.sif AS kept_sif,
  whole * base AS floor, entry.floor AS kept_floor,
  reduce(least = 1.0, each IN writers | CASE WHEN each < least THEN each ELSE least END) AS reliability,
  entry.reliability AS kept_reliability
ORDER BY node.seq;
