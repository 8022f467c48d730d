// What a process must learn before it may rank: the epoch, and the entries that changed since the
// epoch that it has seen. Ask with an overlap: a reader can see an epoch before the entries of it.
//
// Parameters
//   $tenant        STRING   the tenant
//   $since         INTEGER  entries of later epochs are returned
//   $most          INTEGER  no more entries than one above this are returned
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   epoch    INTEGER          the policy revision
//   now_ms   INTEGER          the database clock, in milliseconds since 1970 UTC
//   model    STRING           the embedding model of the tenant
//   hash_key STRING           the key of content hashes
//   entries  LIST<LIST<ANY>>  seq, epoch, class, expires_ms, trust, floor, live, parts and erased of each
//   pending  LIST<STRING>     changes that are still being worked off
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param since => 0;
//   :param most => 20000;
//   :param clock_offset => 0;

MATCH (turn:_Tenant {tenant: $tenant})
WITH turn, turn.epoch AS epoch
CALL (turn) {
  MATCH (work:_Rework {tenant: $tenant})
  RETURN collect(work.id) AS pending
}
CALL (turn) {
  MATCH (entry:_Entry {tenant: $tenant})
  WHERE entry.epoch > $since AND entry.parts > 0
  WITH entry LIMIT $most + 1
  RETURN collect([entry.seq, entry.epoch, entry.class, entry.expires_ms, entry.trust,
    entry.floor, entry.live, entry.parts, coalesce(entry.erased, false)]) AS entries
}
RETURN epoch, (datetime() + duration({milliseconds: $clock_offset})).epochMillis AS now_ms, turn.model AS model,
  turn.hash_key AS hash_key, entries, pending;
