// What a new record inherits from its parents: clauses, expiry and trust, as kept for each record,
// or the own facts of a source.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the parents
// Returns
//   id            STRING                      a parent that exists
//   seq           INTEGER                     its number
//   kind          STRING                      its label
//   scope         LIST<STRING>                its own scope
//   expires_at    ZONED DATETIME              its own expiry
//   source_class  STRING                      its class, of a resource or tool
//   standing      STRING                      its standing, of a user
//   integrity     STRING                      intact, incomplete or mismatch
//   closed        BOOLEAN                     whether it is revoked or affected
//   clauses       LIST<STRING>                clauses of its access class, of a record
//   expires_ms    INTEGER                     earliest expiry of its ancestry, of a record
//   sif           FLOAT                       weakest path, of a record
//   floor         FLOAT                       weakest path without transformations
//   reliability   FLOAT                       least writer reliability
//   windows       LIST<LIST<ZONED DATETIME>>  start and end of each windowed revocation
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['res:q3-report'];

UNWIND $ids AS wanted
MATCH (node:MapNode {tenant: $tenant, id: wanted})
OPTIONAL MATCH (entry:_Entry {tenant: $tenant, seq: node.seq})
OPTIONAL MATCH (class:_AccessClass {tenant: $tenant, number: entry.class})
RETURN node.id AS id,
  node.seq AS seq,
  [label IN labels(node) WHERE label IN
    ['User', 'Agent', 'Tool', 'Resource', 'Message', 'Memory', 'Claim', 'Action']][0] AS kind,
  node.scope AS scope,
  node.expires_at AS expires_at,
  node.source_class AS source_class,
  node.standing AS standing,
  node.integrity AS integrity,
  CASE WHEN node.revoked IS :: BOOLEAN NOT NULL THEN node.revoked ELSE true END OR node:Affected AS closed,
  class.clauses AS clauses,
  entry.expires_ms AS expires_ms,
  entry.sif AS sif,
  entry.floor AS floor,
  entry.reliability AS reliability,
  COLLECT {
    MATCH (node)-[mark:INVALIDATED_BY]->()
    WHERE mark.undone_at IS NULL AND (mark.since IS NOT NULL OR mark.until IS NOT NULL)
    RETURN [mark.since, mark.until]
  } AS windows
ORDER BY seq;
