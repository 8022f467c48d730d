// Withdraws a grant, of a user or an agent; it stays for the audit.
//
// Parameters
//   $tenant        STRING   the tenant
//   $id            STRING   the grant
//   $clock_offset  INTEGER  milliseconds added to the database clock; 0 outside tests
// Returns
//   id       STRING   the grant
//   already  BOOLEAN  whether it was withdrawn before
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'grant:1';
//   :param clock_offset => 0;

WITH datetime() + duration({milliseconds: $clock_offset}) AS now
CALL (now) {
  MATCH (grant:_Grant {tenant: $tenant, id: $id})
  WITH grant, now, grant.revoked_at IS NOT NULL AS already
  SET grant.revoked_at = coalesce(grant.revoked_at, now)
  RETURN grant.id AS id, already
UNION
  MATCH (:MapNode {tenant: $tenant})-[link:AUTHORIZED_BY {id: $id}]->(:MapNode {tenant: $tenant})
  WITH link, now, link.revoked_at IS NOT NULL AS already
  SET link.revoked_at = coalesce(link.revoked_at, now)
  RETURN link.id AS id, already
}
RETURN id, already;
