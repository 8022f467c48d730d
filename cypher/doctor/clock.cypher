// Times that have not come yet, though they say when something happened; a minute is allowed for.
//
// Parameters
//   $tenant        STRING   the tenant
//   $sample        INTEGER  how many ids at most
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) + duration({minutes: 1}) AS latest
CALL (latest) {
  MATCH (node:MapNode {tenant: $tenant})
  WHERE node.created_at > latest OR node.occurred_at > latest OR node.erased_at > latest
    OR node.state_at > latest
  RETURN 'a node is of the future' AS what, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id
UNION ALL
  MATCH (source:MapNode {tenant: $tenant})-[edge:AUTHORIZED_BY|OBSERVED_FROM|FORWARDED_TO|DERIVED_FROM|SUMMARIZED_FROM|WRITTEN_BY|READ_BY|VERIFIED_BY|INVALIDATED_BY|USED_FOR_ACTION]->(target)
  WHERE edge.at > latest OR edge.occurred_at > latest OR edge.undone_at > latest OR edge.revoked_at > latest
  RETURN type(edge) + ' is of the future' AS what,
    coalesce(toStringOrNull(source.id), 'node ' + elementId(source)) + ' -> ' + coalesce(toStringOrNull(target.id), 'node ' + elementId(target)) AS id
UNION ALL
  MATCH (record:_Audit {tenant: $tenant}) WHERE record.at > latest
  RETURN 'an audit record is of the future' AS what, record.id AS id
}
WITH what, id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
