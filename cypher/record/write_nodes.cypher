// Adds nodes of the execution graph: observed things only, each under one of the eight labels.
//
// Parameters
//   $tenant  STRING     the tenant
//   $nodes   LIST<MAP>  kind and properties of each
// Returns
//   written  INTEGER  how many were added
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param nodes => [{kind: 'Memory', properties: {id: 'mem:1'}}];

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
RETURN count(*) AS written;
