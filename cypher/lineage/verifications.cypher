// Who verified these records and what they found, with what decides whether a verifier is
// independent: its users, its delegators, its standing, and whether it cites evidence from elsewhere.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the records
// Returns
//   id            STRING          a verified record
//   verifier      STRING          who verified it
//   outcome       STRING          confirmed or failed
//   content_hash  STRING          the content that was verified
//   at            ZONED DATETIME  when
//   standing      STRING          standing of the verifier
//   users         LIST<STRING>    users above the verifier
//   delegators    LIST<STRING>    agents above the verifier
//   outside       BOOLEAN         whether it cites evidence outside the lineage and the descendants
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['mem:1'];

UNWIND $ids AS wanted
MATCH (record:MapNode {tenant: $tenant, id: wanted})-[check:VERIFIED_BY]->(verifier:MapNode {tenant: $tenant})
CALL (verifier) {
  MATCH (verifier)-[:AUTHORIZED_BY*0..]->(above)
  WITH DISTINCT above, verifier
  WHERE above:MapNode AND above.tenant = $tenant
  RETURN collect(CASE WHEN above:User THEN above.id END) AS users,
    collect(CASE WHEN above:Agent AND above <> verifier THEN above.id END) AS delegators
}
CALL (record, check) {
  UNWIND coalesce(check.evidence, []) AS cited
  MATCH (evidence:MapNode {tenant: $tenant, id: cited})
  CALL (record) {
    MATCH (record)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(above) RETURN collect(DISTINCT above) AS ancestors
  }
  CALL (evidence) { // upwards: a record may have any number of descendants
    MATCH (evidence)-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]->(above) RETURN collect(DISTINCT above) AS roots
  }
  WITH evidence, ancestors, roots, record
  WHERE NOT evidence IN ancestors AND NOT record IN roots
    AND evidence.revoked IS :: BOOLEAN NOT NULL AND NOT evidence.revoked
    AND NOT evidence:Affected
  RETURN count(evidence) > 0 AS outside
}
RETURN record.id AS id,
  verifier.id AS verifier,
  check.outcome AS outcome,
  check.content_hash AS content_hash,
  coalesce(check.occurred_at, check.at) AS at,
  verifier.standing AS standing,
  users,
  delegators,
  outside
ORDER BY id, at, verifier;
