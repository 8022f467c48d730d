// Edges with a field that is missing, mistyped or outside its closed set, grants of agents among them.
//
// Parameters
//   $tenant  STRING   the tenant
//   $sample  INTEGER  how many ids at most
// Returns
//   what   STRING        what is wrong
//   found  INTEGER       how many
//   ids    LIST<STRING>  some of them
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param sample => 10;

MATCH (source:MapNode {tenant: $tenant})-[edge:AUTHORIZED_BY|OBSERVED_FROM|FORWARDED_TO|DERIVED_FROM|SUMMARIZED_FROM|WRITTEN_BY|READ_BY|VERIFIED_BY|INVALIDATED_BY|USED_FOR_ACTION]->(target)
WITH source, edge, target, type(edge) AS kind, [
  CASE WHEN edge.at IS :: ZONED DATETIME NOT NULL THEN null ELSE 'at' END,
  CASE WHEN edge.occurred_at IS :: ZONED DATETIME THEN null ELSE 'occurred_at' END
] AS common
WITH source, target, kind, common + CASE
  WHEN kind IN ['OBSERVED_FROM', 'DERIVED_FROM', 'SUMMARIZED_FROM'] THEN [
    CASE WHEN edge.declared_by IN ['host', 'agent', 'read_set'] THEN null ELSE 'declared_by' END]
  WHEN kind = 'AUTHORIZED_BY' THEN [
    CASE WHEN edge.id IS :: STRING NOT NULL THEN null ELSE 'id' END,
    CASE WHEN edge.scopes IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'scopes' END,
    CASE WHEN edge.rights IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'rights' END,
    CASE WHEN edge.valid_from IS :: ZONED DATETIME NOT NULL THEN null ELSE 'valid_from' END,
    CASE WHEN edge.valid_to IS :: ZONED DATETIME THEN null ELSE 'valid_to' END,
    CASE WHEN edge.revoked_at IS :: ZONED DATETIME THEN null ELSE 'revoked_at' END]
  WHEN kind = 'READ_BY' THEN [
    CASE WHEN edge.task IS :: STRING NOT NULL THEN null ELSE 'task' END]
  WHEN kind = 'VERIFIED_BY' THEN [
    CASE WHEN edge.outcome IN ['confirmed', 'failed'] THEN null ELSE 'outcome' END,
    CASE WHEN edge.content_hash IS :: STRING NOT NULL THEN null ELSE 'content_hash' END]
  WHEN kind = 'INVALIDATED_BY' THEN [
    CASE WHEN edge.id IS :: STRING NOT NULL THEN null ELSE 'id' END,
    CASE WHEN edge.kind IN ['access', 'reliability', 'erasure', 'invalid'] THEN null ELSE 'kind' END,
    CASE WHEN edge.since IS :: ZONED DATETIME THEN null ELSE 'since' END,
    CASE WHEN edge.until IS :: ZONED DATETIME THEN null ELSE 'until' END,
    CASE WHEN edge.undone_at IS :: ZONED DATETIME THEN null ELSE 'undone_at' END]
  WHEN kind = 'USED_FOR_ACTION' THEN [
    CASE WHEN edge.role IN ['evidence', 'parameter'] THEN null ELSE 'role' END]
  ELSE [] END AS wrong
UNWIND [field IN wrong WHERE field IS NOT NULL] AS field
WITH kind + ' field `' + field + '`' AS what,
  coalesce(toStringOrNull(source.id), 'node ' + elementId(source)) + ' -> ' + coalesce(toStringOrNull(target.id), 'node ' + elementId(target)) AS id
ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
