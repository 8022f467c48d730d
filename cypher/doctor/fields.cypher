// Nodes with a field that is missing, mistyped or outside its closed set; one row for each field. What
// decides who may read is closed by each of these.
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

MATCH (node:MapNode {tenant: $tenant})
WITH node, [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind
WITH node, kind, kind IN ['Message', 'Memory', 'Claim'] AS record, [
  CASE WHEN node.id STARTS WITH CASE kind WHEN 'User' THEN 'user:' WHEN 'Agent' THEN 'agent:' WHEN 'Tool' THEN 'tool:'
      WHEN 'Resource' THEN 'res:' WHEN 'Message' THEN 'msg:' WHEN 'Memory' THEN 'mem:' WHEN 'Claim' THEN 'claim:' ELSE 'act:' END
    THEN null ELSE 'id' END,
  CASE WHEN node.seq IS :: INTEGER NOT NULL THEN null ELSE 'seq' END,
  CASE WHEN node.created_at IS :: ZONED DATETIME NOT NULL THEN null ELSE 'created_at' END,
  CASE WHEN node.occurred_at IS :: ZONED DATETIME THEN null ELSE 'occurred_at' END,
  CASE WHEN node.expires_at IS :: ZONED DATETIME THEN null ELSE 'expires_at' END,
  CASE WHEN node.erased_at IS :: ZONED DATETIME THEN null ELSE 'erased_at' END,
  CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN null ELSE 'revoked' END,
  CASE WHEN node.parents IS :: INTEGER NOT NULL THEN null ELSE 'parents' END,
  CASE WHEN node.pending IS :: STRING THEN null ELSE 'pending' END,
  CASE WHEN node.integrity IN ['intact', 'incomplete', 'mismatch'] THEN null ELSE 'integrity' END,
  CASE WHEN kind = 'Action' OR node.scope IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'scope' END,
  CASE WHEN kind = 'Action' OR node.content_hash IS :: STRING NOT NULL THEN null ELSE 'content_hash' END
] AS common
WITH node, common + CASE
  WHEN record THEN [
    CASE WHEN node.text IS :: STRING THEN null ELSE 'text' END,
    CASE WHEN node.erased_at IS NULL OR node.text IS NULL THEN null ELSE 'text of what was erased' END,
    CASE WHEN node.metadata IS :: STRING THEN null ELSE 'metadata' END]
  WHEN kind IN ['User', 'Agent'] THEN [
    CASE WHEN node.standing IN ['new', 'established', 'compromised'] THEN null ELSE 'standing' END,
    CASE WHEN kind = 'Agent' OR node.teams IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'teams' END,
    CASE WHEN kind = 'Agent' OR node.roles IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'roles' END]
  WHEN kind = 'Tool' THEN [
    CASE WHEN node.source_class IS :: STRING NOT NULL THEN null ELSE 'source_class' END,
    CASE WHEN node.risk IN ['low', 'medium', 'high', 'critical'] THEN null ELSE 'risk' END,
    CASE WHEN node.answer IS :: BOOLEAN NOT NULL THEN null ELSE 'answer' END,
    CASE WHEN node.sends IS :: BOOLEAN NOT NULL THEN null ELSE 'sends' END,
    CASE WHEN node.evidence IN ['required', 'none'] THEN null ELSE 'evidence' END,
    CASE WHEN node.audience_from IS :: LIST<STRING NOT NULL> NOT NULL THEN null ELSE 'audience_from' END]
  WHEN kind = 'Resource' THEN [
    CASE WHEN node.source_class IS :: STRING NOT NULL THEN null ELSE 'source_class' END]
  WHEN kind = 'Action' THEN [
    CASE WHEN node.outcome IN ['Allow', 'Block', 'Reverify', 'Redact', 'AskUser'] THEN null ELSE 'outcome' END,
    CASE WHEN node.risk IN ['low', 'medium', 'high', 'critical'] THEN null ELSE 'risk' END,
    CASE WHEN node.state IN ['recorded', 'decided', 'pending', 'approved', 'rejected', 'started', 'done', 'failed']
      THEN null ELSE 'state' END,
    CASE WHEN node.trust IS NULL OR 0.0 <= node.trust <= 1.0 THEN null ELSE 'trust' END,
    CASE WHEN node.epoch IS :: INTEGER NOT NULL THEN null ELSE 'epoch' END]
  ELSE [] END AS wrong
UNWIND [field IN wrong WHERE field IS NOT NULL] AS field
WITH field, coalesce(toStringOrNull(node.id), 'node ' + elementId(node)) AS id ORDER BY field, id
RETURN 'field `' + field + '`' AS what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
