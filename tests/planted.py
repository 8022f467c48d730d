"""Drift to plant in the tenant of tests/integration/test_doctor.py, and where doctor tells it."""

RECORD = "MATCH (n:MapNode {tenant: $t, id: 'mem:brief'}) "
SOURCE = "MATCH (n:MapNode {tenant: $t, id: 'res:q3'}) "
ENTRY = RECORD + "MATCH (e:_Entry {tenant: $t, seq: n.seq}) "
CLASS = ENTRY + "MATCH (c:_AccessClass {tenant: $t, number: e.class}) "
LINK = RECORD + "MATCH (n)-[e:SUMMARIZED_FROM]->(m) "
DERIVED = "-[:DERIVED_FROM {at: datetime(), declared_by: 'host'}]->"
TOMORROW = "datetime() + duration('P1D')"
WIDE = (
    "MATCH (o:MapNode {tenant: $t, id: 'mem:open'}) MATCH (w:_Entry {tenant: $t, seq: o.seq}) "
    f"WITH w.class AS wide {ENTRY} SET e.class = wide"
)
CYCLE_OF_THREE = (
    "MATCH (n:MapNode {tenant: $t, id: 'mem:note'}) "
    "MATCH (m:MapNode {tenant: $t, id: 'claim:weak'}) "
    f"SET n.parents = 2 CREATE (n){DERIVED}(m)"
)
ELSEWHERE = RECORD + f"CREATE (n){DERIVED}(:MapNode:Resource {{tenant: $t + '-x', id: 'x'}})"
ORPHAN_ENTRY = (
    "CREATE (:_Entry {tenant: $t, seq: 123456, id: 'mem:none', live: true, class: 0, parts: 1, "
    "epoch: 1})"
)
REWORK = (
    "CREATE (:_Rework {tenant: $t, id: 'work:x', root: 'res:q3', cursor: -1, mode: 'recompute', "
    "at: datetime()})"
)
REVOKED_BY_HAND = SOURCE + (
    "MATCH (u:User {tenant: $t, id: 'user:alice'}) "
    "CREATE (n)-[:INVALIDATED_BY {id: 'rev:x', kind: 'access', reason: '', at: datetime()}]->(u)"
)
READER_LINK = "MATCH (:Agent {tenant: $t, id: 'agent:reader'})-[e:AUTHORIZED_BY]->() "
LOST = RECORD.replace("mem:brief", "mem:lost")

BY_HAND = {
    "missing revoked": ("fields", SOURCE + "REMOVE n.revoked"),
    "revoked as text": ("fields", RECORD + "SET n.revoked = 'false'"),
    "revoked as number": ("fields", RECORD + "SET n.revoked = 0"),
    "missing scope": ("fields", SOURCE + "REMOVE n.scope"),
    "scope as text": ("fields", SOURCE + "SET n.scope = 'team:finance'"),
    "missing seq": ("fields", RECORD + "REMOVE n.seq"),
    "expiry as text": ("fields", SOURCE + "SET n.expires_at = '2999-01-01'"),
    "expiry without a zone": ("fields", RECORD + "SET n.expires_at = localdatetime()"),
    "missing parents": ("fields", RECORD + "REMOVE n.parents"),
    "another label's name": ("fields", RECORD + "SET n.id = 'claim:brief'"),
    "no id": ("fields", RECORD + "REMOVE n.id"),
    "no tenant": ("edges", RECORD + "REMOVE n.tenant"),
    "foreign label": ("labels", RECORD + "SET n:Interesting"),
    "two of our labels": ("labels", RECORD + "SET n:Claim"),
    "none of our labels": ("labels", RECORD + "REMOVE n:Memory"),
    "no MapNode": ("labels", RECORD + "REMOVE n:MapNode"),
    "orphan edge": ("edges", RECORD + f"CREATE (n){DERIVED}(:Elsewhere {{tenant: $t, id: 'x'}})"),
    "edge to another tenant": ("edges", ELSEWHERE),
    "edge to a wrong label": (
        "edges",
        RECORD + f"MATCH (a:Agent {{tenant: $t}}) CREATE (n){DERIVED}(a)",
    ),
    "edge without a time": ("edge fields", LINK + "REMOVE e.at"),
    "parent gone": ("parents", LINK + "DELETE e"),
    "parent too many": (
        "parents",
        RECORD + f"MATCH (o:User {{tenant: $t}}) CREATE (n){DERIVED}(o)",
    ),
    "writer gone": ("parents", RECORD + "MATCH (n)-[e:WRITTEN_BY]->() DELETE e"),
    "self-loop": ("cycles", RECORD + f"SET n.parents = 2 CREATE (n){DERIVED}(n)"),
    "cycle of two": ("cycles", LINK + f"SET m.parents = 2 CREATE (m){DERIVED}(n)"),
    "cycle of three": ("cycles", CYCLE_OF_THREE),
    "born tomorrow": ("clock", RECORD + f"SET n.created_at = {TOMORROW}"),
    "happens tomorrow": ("clock", RECORD + f"SET n.occurred_at = {TOMORROW}"),
    "written tomorrow": ("clock", RECORD + f"MATCH (n)-[e:WRITTEN_BY]->() SET e.at = {TOMORROW}"),
    "flag by nobody": ("flags", RECORD + "SET n.revoked = true, n:Revoked"),
    "agent without user": ("agents", "CREATE (:MapNode:Agent {tenant: $t, id: 'agent:x', seq: 0})"),
    "grant without a time": ("grants", "MATCH (g:_Grant {tenant: $t}) REMOVE g.valid_from"),
    "grant for nobody": ("grants", "MATCH (g:_Grant {tenant: $t}) SET g.principal = 'user:none'"),
    "link without a time": ("edge fields", READER_LINK + "REMOVE e.valid_from"),
    "call without decision": ("decisions", "CREATE (:_Call {tenant: $t, decision: 'act:none'})"),
    "approval of nothing": ("decisions", "CREATE (:_Approval {tenant: $t, decision: 'act:none'})"),
    "decision without call": ("decisions", "MATCH (c:_Call {tenant: $t}) DELETE c"),
    "audit lost": ("audit", "MATCH (a:_Audit {tenant: $t}) DELETE a"),
    "approval not audited": ("audit", "MATCH (a:_Audit {tenant: $t, act: 'approve'}) DELETE a"),
    "import cut off": ("imports", RECORD + "SET n.pending = 'import:x'"),
    "text altered": ("content", RECORD + "SET n.text = 'A strong quarter'"),
    "text lost": ("content", RECORD + "REMOVE n.text"),
    "erased text back": ("fields", LOST + "SET n.text = 'Erased later'"),
}
"""What only a person can mend: the finding that tells it, and how it is planted."""

MENDED = {
    "class wider": ("access", WIDE),
    "class altered": ("classes", CLASS + "SET c.clauses = []"),
    "class of another key": ("classes", CLASS + "SET c.key = 'x'"),
    "class gone": ("access", CLASS + "DELETE c"),
    "expiry too late": ("expiry", ENTRY + "SET e.expires_ms = 99999999999999"),
    "trust too high": ("trust", ENTRY + "SET e.trust = 1.0"),
    "floor no number": ("trust", ENTRY + "SET e.floor = 'high'"),
    "kept as live": ("liveness", ENTRY.replace("mem:brief", "mem:lost") + "SET e.live = true"),
    "kept as closed": ("liveness", ENTRY + "SET e.live = false"),
    "mark lost": ("marks", LOST + "REMOVE n:Affected"),
    "mark too many": ("marks", RECORD + "SET n:Affected"),
    "marked as revoked": ("markers", RECORD + "SET n:Revoked"),
    "resource marked": ("markers", SOURCE + "SET n:Affected"),
    "no vector": ("vectors", ENTRY.replace("mem:brief", "mem:mix") + "SET e.vectors = null"),
    "vector cut": ("vectors", ENTRY + "SET e.parts = 2"),
    "no entry": ("entries", ENTRY + "DELETE e"),
    "entry of another name": ("entries", ENTRY + "SET e.id = 'mem:open'"),
    "vector without node": ("entries", ORPHAN_ENTRY),
    "counter too low": ("counters", "MATCH (x:_Tenant {tenant: $t}) SET x.seq = 1, x.classes = 0"),
    "entry of a later epoch": ("counters", ENTRY + "SET e.epoch = 10000000"),
    "decision of a later epoch": (
        "decisions",
        "MATCH (a:Action {tenant: $t}) SET a.epoch = 10000000",
    ),
    "rework left": ("left over", REWORK),
    "revocation by hand": ("withdrawals", REVOKED_BY_HAND),
    "erasure cut off": ("erasures", LOST + "REMOVE n.erased_at SET n.text = 'Erased later'"),
    "altered and put back": ("integrity", RECORD + "SET n.integrity = 'mismatch'"),
}
"""What a fix mends wholly."""

AT_ONCE = (
    "orphan edge",
    "missing revoked",
    "expiry as text",
    "cycle of two",
    "foreign label",
    "born tomorrow",
    "text altered",
    "vector without node",
    "no vector",
    "class altered",
    "call without decision",
    "rework left",
)
"""Twelve kinds that can stand side by side."""
