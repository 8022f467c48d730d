// Keeps that a schema script was applied. Applying it again changes nothing but the date.
//
// Parameters
//   $script   STRING   how it is called
//   $version  INTEGER  its number
//   $sha256   STRING   of its commands
// Returns
// Access
//   write
// Try it
//   :param script => 'example';
//   :param version => null;
//   :param sha256 => '';

MERGE (migration:_Schema {name: $script})
SET migration.version = $version,
    migration.sha256 = $sha256,
    migration.applied_at = datetime();
