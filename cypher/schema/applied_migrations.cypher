// Which schema scripts were applied to this database, and what they were then.
//
// Parameters
// Returns
//   name     STRING   the script, as it is called here
//   version  INTEGER  its number
//   sha256   STRING   of its commands, comments and blanks left out
// Access
//   read
// Try it
//   nothing to set

MATCH (migration:_Schema)
WHERE migration.version IS NOT NULL
RETURN migration.name AS name, migration.version AS version, migration.sha256 AS sha256
ORDER BY version;
