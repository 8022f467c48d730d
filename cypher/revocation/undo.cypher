// Undoes a revocation. The history stays; the flag of the source goes unless another revocation covers
// it, and the descendants are worked out again.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the revocation
//   $by            STRING   who undoes it
//   $reason        STRING   why, for the audit
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   id     STRING   the revocation
//   root   STRING   the source
//   epoch  INTEGER  the policy revision
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'rev:1';
//   :param by => 'user:alice';
//   :param reason => 'wrong contract';
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn, datetime() + duration({milliseconds: $clock_offset}) AS now
MATCH (source:MapNode {tenant: $tenant})-[mark:INVALIDATED_BY {id: $id}]->()
WHERE mark.undone_at IS NULL AND mark.kind <> 'erasure'
SET mark.undone_at = now, mark.undone_by = $by, mark.undo_reason = $reason
WITH turn, now, source, mark, COUNT {
  (source)-[other:INVALIDATED_BY]->()
  WHERE other.undone_at IS NULL AND other.since IS NULL AND other.until IS NULL
} AS covering
FOREACH (_ IN CASE WHEN covering = 0 THEN [1] ELSE [] END |
  SET source.revoked = false REMOVE source:Revoked)
MERGE (work:_Rework {tenant: $tenant, id: mark.id})
SET work.root = source.id, work.cursor = -1, work.mode = 'recompute', work.at = now,
  work.ticket = randomUUID()
RETURN mark.id AS id, source.id AS root, turn.epoch AS epoch;
