// Withdraws a source, or declares one record wrong. From this commit on nothing that came from it is
// handed out or allowed, at any depth, by any process. Nothing is deleted. Marking the descendants follows:
// the next administrative call of the engine works off what this leaves in _Rework.
//
// Parameters
//   $tenant        STRING          the tenant
//   $id            STRING          the source: a user, tool, resource, message, memory or claim
//   $by            STRING          the user or agent who withdraws it
//   $kind          STRING          access, reliability, erasure or invalid
//   $reason        STRING          why, for the audit
//   $since         ZONED DATETIME  start of the window, or null for all time
//   $until         ZONED DATETIME  end of the window (exclusive), or null
//   $clock_offset  INTEGER         milliseconds added to the database clock; 0 outside tests
// Returns
//   id     STRING   the revocation; no row if the tenant holds no such source or no such user
//   epoch  INTEGER  the policy revision it made
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'res:q3-report';
//   :param by => 'user:alice';
//   :param kind => 'access';
//   :param reason => 'contract ended';
//   :param since => null;
//   :param until => null;
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn, datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (source:MapNode {tenant: $tenant, id: $id})
WHERE source:User OR source:Tool OR source:Resource OR source:Message OR source:Memory OR source:Claim
MATCH (by:MapNode {tenant: $tenant, id: $by})
WHERE (by:User OR by:Agent) AND $kind IN ['access', 'reliability', 'erasure', 'invalid']
CREATE (source)-[mark:INVALIDATED_BY {id: 'rev:' + randomUUID(), kind: $kind, reason: $reason, at: now}]->(by)
SET mark.since = $since, mark.until = $until
CREATE (:_Rework {tenant: $tenant, id: mark.id, root: source.id, cursor: -1, at: now, ticket: randomUUID(),
  mode: CASE WHEN $kind = 'erasure' THEN 'erase'
    WHEN $since IS NULL AND $until IS NULL THEN 'mark' ELSE 'recompute' END})
FOREACH (_ IN CASE WHEN $since IS NULL AND $until IS NULL THEN [1] ELSE [] END |
  SET source.revoked = true, source:Revoked)
RETURN mark.id AS id, turn.epoch AS epoch;
