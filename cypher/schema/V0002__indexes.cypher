// Makes the look-ups that statements begin with fast. Texts are never indexed: an indexed
// string may have 8,164 bytes at most, and a longer one would fail the whole write.
//
// Parameters
// Returns
// Access
//   schema
// Try it
//   paste the file into Browser, or: cypher-shell -f cypher/schema/NAME.cypher

// What changed since an epoch: the sync read of each retrieval.
CREATE INDEX mapgraph_entry_epoch IF NOT EXISTS
FOR (n:_Entry) ON (n.tenant, n.epoch);

CREATE INDEX mapgraph_grant_principal IF NOT EXISTS
FOR (n:_Grant) ON (n.tenant, n.principal);

CREATE INDEX mapgraph_audit_at IF NOT EXISTS
FOR (n:_Audit) ON (n.tenant, n.at);

CREATE INDEX mapgraph_query_task IF NOT EXISTS
FOR (n:_Query) ON (n.tenant, n.agent, n.task);

// The lists of one tenant.
CREATE INDEX mapgraph_memory_tenant IF NOT EXISTS
FOR (n:Memory) ON (n.tenant);

CREATE INDEX mapgraph_claim_tenant IF NOT EXISTS
FOR (n:Claim) ON (n.tenant);

CREATE INDEX mapgraph_agent_tenant IF NOT EXISTS
FOR (n:Agent) ON (n.tenant);

CREATE INDEX mapgraph_user_tenant IF NOT EXISTS
FOR (n:User) ON (n.tenant);

CREATE INDEX mapgraph_action_state IF NOT EXISTS
FOR (n:Action) ON (n.tenant, n.state);

// Read sets, and edges that an administrator names by id.
CREATE INDEX mapgraph_read_by_task IF NOT EXISTS
FOR ()-[e:READ_BY]-() ON (e.task);

CREATE INDEX mapgraph_written_by_task IF NOT EXISTS
FOR ()-[e:WRITTEN_BY]-() ON (e.task);

CREATE INDEX mapgraph_authorized_by_id IF NOT EXISTS
FOR ()-[e:AUTHORIZED_BY]-() ON (e.id);

CREATE INDEX mapgraph_invalidated_by_id IF NOT EXISTS
FOR ()-[e:INVALIDATED_BY]-() ON (e.id);
