// Adds edges of the execution graph between nodes of one tenant, each of one of the ten types.
//
// Parameters
//   $tenant  STRING     the tenant
//   $edges   LIST<MAP>  type, source, target and properties of each
// Returns
//   written  INTEGER  how many were added; fewer than given means that an end is missing
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param edges => [{type: 'WRITTEN_BY', source: 'mem:1', target: 'agent:a', properties: {}}];

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
RETURN count(*) AS written;
