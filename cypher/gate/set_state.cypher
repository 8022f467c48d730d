// Moves a decision from one state to the next; no row when it was not in that state.
//
// Parameters
//   $tenant        STRING        the tenant
//   $id            STRING        the decision
//   $from          LIST<STRING>  the states it may be in
//   $to            STRING        the next state
//   $note          STRING        a reason, or null
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   id  STRING  the decision
// Access
//   write
// Try it
//   :param tenant => 'default';
//   :param id => 'act:1';
//   :param from => ['pending'];
//   :param to => 'rejected';
//   :param note => null;
//   :param clock_offset => 0;

MATCH (action:MapNode:Action {tenant: $tenant, id: $id})
SET action.state = action.state
WITH action WHERE action.state IN $from
SET action.state = $to, action.state_at = datetime() + duration({milliseconds: $clock_offset}), action.note = coalesce($note, action.note)
RETURN action.id AS id;
