// Writes what was worked out: class, expiry, trust, liveness and the mark of each record.
//
// Parameters
//   $tenant   STRING     the tenant
//   $id       STRING     the change
//   $ticket   STRING     which start of it, by rework/pending
//   $entries  LIST<MAP>  seq, class, expires_ms, sif, floor, reliability, trust, live and affected of each
//   $cursor   INTEGER    the last number that is done
// Returns
//   written  INTEGER  how many records
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'work:1';
//   :param ticket => '';
//   :param entries => [];
//   :param cursor => -1;

MATCH (turn:_Tenant {tenant: $tenant})
SET turn.epoch = turn.epoch + 1
WITH turn
MATCH (work:_Rework {tenant: $tenant, id: $id})
WHERE coalesce(work.ticket, '') = $ticket
SET work.cursor = $cursor
WITH turn
CALL (turn) {
  UNWIND $entries AS row
  MATCH (node:MapNode {tenant: $tenant, seq: row.seq})
  MATCH (entry:_Entry {tenant: $tenant, seq: row.seq})
  SET entry.class = row.class, entry.expires_ms = row.expires_ms, entry.sif = row.sif,
    entry.floor = row.floor, entry.reliability = row.reliability, entry.trust = row.trust,
    entry.live = row.live, entry.epoch = turn.epoch
  FOREACH (_ IN CASE WHEN row.affected THEN [1] ELSE [] END | SET node:Affected)
  FOREACH (_ IN CASE WHEN row.affected THEN [] ELSE [1] END | REMOVE node:Affected)
  RETURN count(*) AS written
}
RETURN written;
