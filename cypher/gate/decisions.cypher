// Stored decisions, newest first.
//
// Parameters
//   $tenant   STRING        the tenant
//   $agent    STRING        only of this agent, or null
//   $outcome  STRING        only with this outcome, or null
//   $state    STRING        only in this state, or null
//   $ids      LIST<STRING>  only these, or null
//   $limit    INTEGER       how many at most
// Returns
//   properties  MAP                 the record of the action
//   agent       STRING              who proposed it
//   evidence    LIST<LIST<STRING>>  id and role
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agent => null;
//   :param outcome => null;
//   :param state => null;
//   :param ids => null;
//   :param limit => 100;

MATCH (action:Action {tenant: $tenant})
WHERE ($outcome IS NULL OR action.outcome = $outcome)
  AND ($state IS NULL OR action.state = $state)
  AND ($ids IS NULL OR action.id IN $ids)
  AND ($agent IS NULL OR EXISTS { (action)-[:WRITTEN_BY]->(:Agent {tenant: $tenant, id: $agent}) })
WITH action ORDER BY action.seq DESC LIMIT $limit
RETURN properties(action) AS properties,
  head(COLLECT { MATCH (action)-[:WRITTEN_BY]->(agent:Agent) RETURN agent.id }) AS agent,
  COLLECT {
    MATCH (item)-[use:USED_FOR_ACTION]->(action)
    RETURN [item.id, use.role] ORDER BY item.seq
  } AS evidence
ORDER BY action.seq DESC;
