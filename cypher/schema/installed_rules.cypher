// Constraints and indexes of the database, ours and others'. A constraint shows as the
// index that it owns.
//
// Parameters
// Returns
//   name              STRING        how it is called
//   state             STRING        ONLINE, POPULATING or FAILED
//   labelsOrTypes     LIST<STRING>  the label or edge type; null for a look-up index
//   properties        LIST<STRING>  in their order; null for a look-up index
//   owningConstraint  STRING        the constraint; null for a mere index
//   failureMessage    STRING        why it failed, or empty
// Access
//   read
// Try it
//   nothing to set

SHOW INDEXES
YIELD name, type, state, labelsOrTypes, properties, owningConstraint, failureMessage
WHERE type = 'RANGE'
RETURN name, state, labelsOrTypes, properties, owningConstraint, failureMessage
ORDER BY name;
