// Who wrote these records and when, for handing one out.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the records
// Returns
//   id           STRING          a record
//   writer       STRING          who wrote it
//   created_at   ZONED DATETIME  when it was recorded
//   occurred_at  ZONED DATETIME  when it happened, by the log
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
OPTIONAL MATCH (node)-[:WRITTEN_BY]->(writer)
WITH node, min(writer.id) AS writer
RETURN node.id AS id, writer, node.created_at AS created_at, node.occurred_at AS occurred_at
ORDER BY node.seq;
