// Makes every identity unique: one node for one id, one row of bookkeeping for one key.
// Uniqueness only, which is all that Community edition has.
//
// Parameters
// Returns
// Access
//   schema
// Try it
//   paste the file into Browser, or: cypher-shell -f cypher/schema/NAME.cypher

// The first of all: the runner takes its lock on it.
CREATE CONSTRAINT mapgraph_schema_name IF NOT EXISTS
FOR (n:_Schema) REQUIRE n.name IS UNIQUE;

// The execution graph: the id, and the number that keys the vector.
CREATE CONSTRAINT mapgraph_node_id IF NOT EXISTS
FOR (n:MapNode) REQUIRE (n.tenant, n.id) IS UNIQUE;

CREATE CONSTRAINT mapgraph_node_seq IF NOT EXISTS
FOR (n:MapNode) REQUIRE (n.tenant, n.seq) IS UNIQUE;

// Bookkeeping, which is no lineage.
CREATE CONSTRAINT mapgraph_tenant IF NOT EXISTS
FOR (n:_Tenant) REQUIRE n.tenant IS UNIQUE;

CREATE CONSTRAINT mapgraph_entry_seq IF NOT EXISTS
FOR (n:_Entry) REQUIRE (n.tenant, n.seq) IS UNIQUE;

CREATE CONSTRAINT mapgraph_access_class_key IF NOT EXISTS
FOR (n:_AccessClass) REQUIRE (n.tenant, n.key) IS UNIQUE;

CREATE CONSTRAINT mapgraph_access_class_number IF NOT EXISTS
FOR (n:_AccessClass) REQUIRE (n.tenant, n.number) IS UNIQUE;

CREATE CONSTRAINT mapgraph_grant_id IF NOT EXISTS
FOR (n:_Grant) REQUIRE (n.tenant, n.id) IS UNIQUE;

CREATE CONSTRAINT mapgraph_key IF NOT EXISTS
FOR (n:_Key) REQUIRE (n.tenant, n.actor, n.key) IS UNIQUE;

CREATE CONSTRAINT mapgraph_approval_decision IF NOT EXISTS
FOR (n:_Approval) REQUIRE (n.tenant, n.decision) IS UNIQUE;

CREATE CONSTRAINT mapgraph_call_decision IF NOT EXISTS
FOR (n:_Call) REQUIRE (n.tenant, n.decision) IS UNIQUE;

CREATE CONSTRAINT mapgraph_rework_id IF NOT EXISTS
FOR (n:_Rework) REQUIRE (n.tenant, n.id) IS UNIQUE;

CREATE CONSTRAINT mapgraph_audit_id IF NOT EXISTS
FOR (n:_Audit) REQUIRE (n.tenant, n.id) IS UNIQUE;
