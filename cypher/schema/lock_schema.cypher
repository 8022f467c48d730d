// Takes the one lock of schema work in this database, held until the transaction ends.
// A process that is killed loses its connection, and with it the lock.
//
// Parameters
// Returns
//   taken_at  ZONED DATETIME  when the lock was had
// Access
//   write
// Try it
//   nothing to set

MERGE (lock:_Schema {name: 'lock'})
SET lock.taken_at = datetime()
RETURN lock.taken_at AS taken_at;
