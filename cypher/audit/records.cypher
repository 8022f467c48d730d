// The records of the audit, newest first.
//
// Parameters
//   $tenant  STRING   the tenant
//   $actor   STRING   only of this actor, or null
//   $act     STRING   only of this act, or null
//   $limit   INTEGER  how many at most
// Returns
//   id       STRING          the record
//   at       ZONED DATETIME  when
//   actor    STRING          who
//   act      STRING          what
//   target   STRING          to what
//   outcome  STRING          allowed, refused or empty
//   detail   STRING          more, as JSON
//   epoch    INTEGER         the policy revision then
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param actor => null;
//   :param act => null;
//   :param limit => 100;

MATCH (record:_Audit {tenant: $tenant})
WHERE ($actor IS NULL OR record.actor = $actor) AND ($act IS NULL OR record.act = $act)
RETURN record.id AS id, record.at AS at, record.actor AS actor, record.act AS act,
  record.target AS target, record.outcome AS outcome, record.detail AS detail, record.epoch AS epoch
ORDER BY at DESC, id LIMIT $limit;
