// The users and delegating agents above the writers of records.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the records
// Returns
//   id          STRING        a record
//   users       LIST<STRING>  users above its writers
//   delegators  LIST<STRING>  agents above its writers
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (record:MapNode {tenant: $tenant, id: wanted})
OPTIONAL MATCH (record)-[:WRITTEN_BY]->(writer:MapNode {tenant: $tenant})
OPTIONAL MATCH (writer)-[:AUTHORIZED_BY*0..]->(above)
WITH DISTINCT record, above
RETURN record.id AS id,
  collect(CASE WHEN above:User AND above.tenant = $tenant THEN above.id END) AS users,
  collect(CASE WHEN above:Agent AND above.tenant = $tenant THEN above.id END) AS delegators
ORDER BY id;
