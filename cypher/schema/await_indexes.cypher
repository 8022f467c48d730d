// Waits until every index is filled.
//
// Parameters
//   $seconds  INTEGER  how long at most
// Returns
// Access
//   read
// Try it
//   :param seconds => 300;

CALL db.awaitIndexes($seconds);
