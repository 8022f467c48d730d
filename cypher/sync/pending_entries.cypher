// The entries that a change still being worked off may close: all that came from its root.
//
// Parameters
//   $tenant  STRING        the tenant
//   $ids     LIST<STRING>  the changes
// Returns
//   seqs  LIST<INTEGER>  numbers of records
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param ids => ['rev:1'];

UNWIND $ids AS wanted
MATCH (work:_Rework {tenant: $tenant, id: wanted})
MATCH (root:MapNode {tenant: $tenant, id: work.root})
CALL (root) { // a scope of its own: each node once, whatever the statistics
  MATCH (root)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(node)
  RETURN DISTINCT node
}
RETURN collect(DISTINCT node.seq) AS seqs;
