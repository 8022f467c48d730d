// Keeps one record of who did what, when, to what, and how it ended. Ids and reasons, never content.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the record
//   $actor         STRING   who
//   $act           STRING   what
//   $target        STRING   to what
//   $outcome       STRING   allowed, refused or empty
//   $detail        STRING   more, as JSON
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   id  STRING  the record
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'audit:1';
//   :param actor => 'user:alice';
//   :param act => 'revoke';
//   :param target => 'res:q3-report';
//   :param outcome => 'allowed';
//   :param detail => '{}';
//   :param clock_offset => 0;

OPTIONAL MATCH (turn:_Tenant {tenant: $tenant})
CREATE (record:_Audit {tenant: $tenant, id: $id, at: datetime() + duration({milliseconds: $clock_offset}), actor: $actor, act: $act,
  target: $target, outcome: $outcome, detail: $detail, epoch: turn.epoch})
RETURN record.id AS id;
