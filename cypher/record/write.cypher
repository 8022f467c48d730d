// Adds to the execution graph and to what is kept for each record: nodes, each under one of the eight
// labels; edges between nodes of the tenant, each of one of the ten types; access classes that are
// not there yet; entries with the class, expiry, trust and vectors of a record.
//
// Parameters
//   $tenant   STRING     the tenant
//   $nodes    LIST<MAP>  kind and properties of each
//   $edges    LIST<MAP>  type, source, target and properties of each
//   $classes  LIST<MAP>  key and clauses of each
//   $entries  LIST<MAP>  key of the class, and properties of each
// Returns
//   edges    INTEGER          how many were added; fewer than given means that an end is missing
//   entries  INTEGER          how many were added; fewer than given means that a class is missing
//   numbers  LIST<LIST<ANY>>  key and number of each class
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param nodes => [{kind: 'Memory', properties: {id: 'mem:1'}}];
//   :param edges => [{type: 'WRITTEN_BY', source: 'mem:1', target: 'agent:a', properties: {}}];
//   :param classes => [{key: 'k', clauses: []}];
//   :param entries => [{class: 'k', properties: {seq: 1, id: 'mem:1', epoch: 1}}];

MATCH (turn:_Tenant {tenant: $tenant})
CALL (turn) {
  UNWIND $classes AS row
  OPTIONAL MATCH (known:_AccessClass {tenant: $tenant, key: row.key})
  WITH turn, collect(CASE WHEN known IS NULL THEN row END) AS fresh
  FOREACH (place IN range(0, size(fresh) - 1) |
    CREATE (:_AccessClass {tenant: $tenant, key: fresh[place].key, number: turn.classes + place,
      clauses: fresh[place].clauses}))
  SET turn.classes = turn.classes + size(fresh)
}
CALL () {
  UNWIND $nodes AS row
  FOREACH (_ IN CASE row.kind WHEN 'User' THEN [1] ELSE [] END |
    CREATE (node:MapNode:User {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Agent' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Agent {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Tool' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Tool {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Resource' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Resource {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Message' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Message {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Memory' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Memory {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Claim' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Claim {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
  FOREACH (_ IN CASE row.kind WHEN 'Action' THEN [1] ELSE [] END |
    CREATE (node:MapNode:Action {tenant: $tenant}) SET node += row.properties, node.tenant = $tenant)
}
CALL () {
  UNWIND $edges AS row
  MATCH (source:MapNode {tenant: $tenant, id: row.source})
  MATCH (target:MapNode {tenant: $tenant, id: row.target})
  FOREACH (_ IN CASE row.type WHEN 'AUTHORIZED_BY' THEN [1] ELSE [] END |
    CREATE (source)-[edge:AUTHORIZED_BY]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'OBSERVED_FROM' THEN [1] ELSE [] END |
    CREATE (source)-[edge:OBSERVED_FROM]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'FORWARDED_TO' THEN [1] ELSE [] END |
    CREATE (source)-[edge:FORWARDED_TO]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'DERIVED_FROM' THEN [1] ELSE [] END |
    CREATE (source)-[edge:DERIVED_FROM]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'SUMMARIZED_FROM' THEN [1] ELSE [] END |
    CREATE (source)-[edge:SUMMARIZED_FROM]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'WRITTEN_BY' THEN [1] ELSE [] END |
    CREATE (source)-[edge:WRITTEN_BY]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'READ_BY' THEN [1] ELSE [] END |
    CREATE (source)-[edge:READ_BY]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'VERIFIED_BY' THEN [1] ELSE [] END |
    CREATE (source)-[edge:VERIFIED_BY]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'INVALIDATED_BY' THEN [1] ELSE [] END |
    CREATE (source)-[edge:INVALIDATED_BY]->(target) SET edge = row.properties)
  FOREACH (_ IN CASE row.type WHEN 'USED_FOR_ACTION' THEN [1] ELSE [] END |
    CREATE (source)-[edge:USED_FOR_ACTION]->(target) SET edge = row.properties)
  RETURN count(*) AS edges
}
CALL () {
  UNWIND $entries AS row
  MATCH (class:_AccessClass {tenant: $tenant, key: row.class})
  CREATE (entry:_Entry {tenant: $tenant, seq: row.properties.seq})
  SET entry += row.properties, entry.tenant = $tenant, entry.class = class.number
  RETURN count(*) AS entries
}
CALL () {
  UNWIND $classes AS row
  MATCH (class:_AccessClass {tenant: $tenant, key: row.key})
  RETURN collect([class.key, class.number]) AS numbers
}
RETURN edges, entries, numbers;
