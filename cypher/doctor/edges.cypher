// Edges that lead out of the tenant or the execution graph, or between labels that their type does not join.
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

CALL () {
  MATCH (source:MapNode {tenant: $tenant})-[edge:AUTHORIZED_BY|OBSERVED_FROM|FORWARDED_TO|DERIVED_FROM|SUMMARIZED_FROM|WRITTEN_BY|READ_BY|VERIFIED_BY|INVALIDATED_BY|USED_FOR_ACTION]->(target)
  RETURN source, edge, target
UNION ALL
  MATCH (source)-[edge:AUTHORIZED_BY|OBSERVED_FROM|FORWARDED_TO|DERIVED_FROM|SUMMARIZED_FROM|WRITTEN_BY|READ_BY|VERIFIED_BY|INVALIDATED_BY|USED_FOR_ACTION]->(target:MapNode {tenant: $tenant})
  WHERE CASE WHEN source:MapNode AND source.tenant = $tenant THEN false ELSE true END
  RETURN source, edge, target
}
WITH source, edge, target, type(edge) AS kind,
  source:Message OR source:Memory OR source:Claim AS from_record,
  target:Message OR target:Memory OR target:Claim AS to_record
WITH source, target, kind, CASE
  WHEN source:MapNode AND target:MapNode AND source.tenant = $tenant AND target.tenant = $tenant
  THEN CASE
    WHEN CASE kind
      WHEN 'AUTHORIZED_BY' THEN (source:Agent AND (target:User OR target:Agent))
        OR ((source:Tool OR source:Resource OR source:Action) AND target:User)
      WHEN 'OBSERVED_FROM' THEN from_record AND (target:Resource OR target:Tool OR target:User)
      WHEN 'FORWARDED_TO' THEN source:Message AND target:Agent
      WHEN 'DERIVED_FROM' THEN from_record AND (to_record OR target:Resource)
      WHEN 'SUMMARIZED_FROM' THEN (source:Memory OR source:Message) AND (to_record OR target:Resource)
      WHEN 'WRITTEN_BY' THEN (from_record OR source:Action) AND (target:Agent OR target:User OR target:Tool)
      WHEN 'READ_BY' THEN (from_record OR source:Resource) AND target:Agent
      WHEN 'VERIFIED_BY' THEN (source:Memory OR source:Claim) AND (target:Agent OR target:User OR target:Tool)
      WHEN 'INVALIDATED_BY' THEN (from_record OR source:Resource OR source:Tool OR source:User)
        AND (target:User OR target:Agent)
      WHEN 'USED_FOR_ACTION' THEN (source:Memory OR source:Claim OR source:Resource OR source:Tool)
        AND target:Action
    END THEN null
    ELSE kind + ' between labels that it does not join'
  END
  ELSE kind + ' out of the tenant'
END AS what
WHERE what IS NOT NULL
WITH what, coalesce(toStringOrNull(source.id), 'node ' + elementId(source)) + ' -> ' + coalesce(toStringOrNull(target.id), 'node ' + elementId(target)) AS id ORDER BY what, id
RETURN what, count(*) AS found, collect(id)[..$sample] AS ids
ORDER BY what;
