// The next entries by number, where more changed than one answer should hold; see sync/changes.
//
// Parameters
//   $tenant  STRING   the tenant
//   $since   INTEGER  entries of later epochs are returned
//   $after   INTEGER  the last number that was looked at
//   $limit   INTEGER  how many are looked at
// Returns
//   entries  LIST<LIST<ANY>>  seq, epoch, class, expires_ms, trust, floor, live, parts and erased of each
//   last     INTEGER          the last number that was looked at; null when none is left
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param since => -1;
//   :param after => -1;
//   :param limit => 10000;

MATCH (entry:_Entry {tenant: $tenant})
WHERE entry.seq > $after
WITH entry ORDER BY entry.seq LIMIT $limit
RETURN collect(CASE WHEN entry.epoch > $since AND entry.parts > 0 THEN
    [entry.seq, entry.epoch, entry.class, entry.expires_ms, entry.trust, entry.floor, entry.live,
      entry.parts, coalesce(entry.erased, false)] END) AS entries,
  max(entry.seq) AS last;
