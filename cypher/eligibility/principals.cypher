// What agents hold at this moment: for each agent the principals that it matches over its
// active chains of AUTHORIZED_BY to active users, and which rights such a chain carries.
// Links of a chain intersect, chains join; every link above the agent's own needs `delegate`.
//
// Parameters
//   $tenant        STRING        the tenant
//   $agents        LIST<STRING>  the agents to ask about
//   $rights        LIST<STRING>  the rights to test for
//   $clock_offset  INTEGER       milliseconds added to the database clock; 0 outside tests
// Returns
//   agent        STRING        the agent, as asked
//   registered   BOOLEAN       whether the tenant holds it
//   trusted      BOOLEAN       whether it is neither revoked nor compromised
//   has_user     BOOLEAN       whether any user above it is active
//   standing     STRING        its standing
//   users        LIST<STRING>  the active users at the ends of its active chains that carry `act`
//   principals   LIST<STRING>  what it holds over chains that carry `read`; empty without one
//   rights       LIST<STRING>  those of $rights that a chain carries and its user holds
// Access
//   read
// Try it
//   :param tenant => 'default';
//   :param agents => ['agent:reader'];
//   :param rights => ['read', 'write', 'act'];
//   :param clock_offset => 0;

UNWIND $agents AS agent
OPTIONAL MATCH (known:MapNode:Agent {tenant: $tenant, id: agent})
WITH agent, known,
  CASE
    WHEN known.revoked IS :: BOOLEAN NOT NULL AND NOT known.revoked
      AND known.standing IN ['new', 'established'] THEN true
    ELSE false
  END AS trusted,
  datetime() + duration({milliseconds: $clock_offset}) AS now
CALL (known) {
  OPTIONAL MATCH (known)-[:AUTHORIZED_BY*1..]->(user:User {tenant: $tenant})
  WHERE user.revoked IS :: BOOLEAN NOT NULL AND NOT user.revoked
    AND user.standing IN ['new', 'established']
  WITH DISTINCT user
  RETURN count(user) > 0 AS has_user
}
CALL (known, trusted, now) {
  MATCH (known)-[first:AUTHORIZED_BY]->(next:MapNode {tenant: $tenant})
  WHERE trusted
    AND first.scopes IS :: LIST<STRING NOT NULL> NOT NULL
    AND first.rights IS :: LIST<STRING NOT NULL> NOT NULL
    AND first.revoked_at IS NULL
    AND first.valid_from IS :: ZONED DATETIME NOT NULL AND first.valid_from <= now
    AND (first.valid_to IS NULL
      OR (first.valid_to IS :: ZONED DATETIME NOT NULL AND now < first.valid_to))
  MATCH (next)-[rest:AUTHORIZED_BY*0..]->(user:User {tenant: $tenant})
  WHERE all(link IN rest WHERE
      link.scopes IS :: LIST<STRING NOT NULL> NOT NULL
      AND link.rights IS :: LIST<STRING NOT NULL> NOT NULL
      AND 'delegate' IN link.rights
      AND link.revoked_at IS NULL
      AND link.valid_from IS :: ZONED DATETIME NOT NULL AND link.valid_from <= now
      AND (link.valid_to IS NULL
        OR (link.valid_to IS :: ZONED DATETIME NOT NULL AND now < link.valid_to))
      AND 'Agent' IN labels(startNode(link))
      AND startNode(link).tenant = $tenant
      AND startNode(link).revoked IS :: BOOLEAN NOT NULL AND NOT startNode(link).revoked
      AND startNode(link).standing IN ['new', 'established'])
    AND user.revoked IS :: BOOLEAN NOT NULL AND NOT user.revoked
    AND user.standing IN ['new', 'established']
    AND user.teams IS :: LIST<STRING NOT NULL> NOT NULL
    AND user.roles IS :: LIST<STRING NOT NULL> NOT NULL
  WITH DISTINCT user, known, now
  CALL (user, now) {
    OPTIONAL MATCH (grant:_Grant {tenant: $tenant, principal: user.id})
    WHERE grant.scopes IS :: LIST<STRING NOT NULL> NOT NULL
      AND grant.rights IS :: LIST<STRING NOT NULL> NOT NULL
      AND grant.revoked_at IS NULL
      AND grant.valid_from IS :: ZONED DATETIME NOT NULL AND grant.valid_from <= now
      AND (grant.valid_to IS NULL
        OR (grant.valid_to IS :: ZONED DATETIME NOT NULL AND now < grant.valid_to))
    RETURN reduce(all = [], s IN collect(grant.scopes) | all + s) AS granted,
      ['read', 'write', 'act', 'delegate']
        + reduce(all = [], r IN collect(grant.rights) | all + r) AS user_rights
  }
  CALL (known, user, user_rights, now) {
    UNWIND $rights AS right
    WITH right WHERE right IN user_rights
    MATCH (known)-[first:AUTHORIZED_BY]->(next:MapNode {tenant: $tenant})
    WHERE right IN first.rights
      AND first.scopes IS :: LIST<STRING NOT NULL> NOT NULL
      AND first.revoked_at IS NULL
      AND first.valid_from IS :: ZONED DATETIME NOT NULL AND first.valid_from <= now
      AND (first.valid_to IS NULL
        OR (first.valid_to IS :: ZONED DATETIME NOT NULL AND now < first.valid_to))
    MATCH (next)-[rest:AUTHORIZED_BY*0..]->(end:User {tenant: $tenant})
    WHERE end.id = user.id AND all(link IN rest WHERE
        right IN link.rights AND 'delegate' IN link.rights
        AND link.scopes IS :: LIST<STRING NOT NULL> NOT NULL
        AND link.revoked_at IS NULL
        AND link.valid_from IS :: ZONED DATETIME NOT NULL AND link.valid_from <= now
        AND (link.valid_to IS NULL
          OR (link.valid_to IS :: ZONED DATETIME NOT NULL AND now < link.valid_to))
        AND 'Agent' IN labels(startNode(link))
        AND startNode(link).tenant = $tenant
        AND startNode(link).revoked IS :: BOOLEAN NOT NULL AND NOT startNode(link).revoked
        AND startNode(link).standing IN ['new', 'established'])
    WITH DISTINCT right
    RETURN collect(right) AS held_rights
  }
  CALL (known, user, granted, now) {
    UNWIND [user.id] + user.teams + user.roles + granted AS principal
    WITH DISTINCT principal
    MATCH (known)-[first:AUTHORIZED_BY]->(next:MapNode {tenant: $tenant})
    WHERE 'read' IN first.rights
      AND (principal IN first.scopes OR '@user' IN first.scopes)
      AND first.revoked_at IS NULL
      AND first.valid_from IS :: ZONED DATETIME NOT NULL AND first.valid_from <= now
      AND (first.valid_to IS NULL
        OR (first.valid_to IS :: ZONED DATETIME NOT NULL AND now < first.valid_to))
    MATCH (next)-[rest:AUTHORIZED_BY*0..]->(end:User {tenant: $tenant})
    WHERE end.id = user.id AND all(link IN rest WHERE
        'read' IN link.rights AND 'delegate' IN link.rights
        AND (principal IN link.scopes OR '@user' IN link.scopes)
        AND link.revoked_at IS NULL
        AND link.valid_from IS :: ZONED DATETIME NOT NULL AND link.valid_from <= now
        AND (link.valid_to IS NULL
          OR (link.valid_to IS :: ZONED DATETIME NOT NULL AND now < link.valid_to))
        AND 'Agent' IN labels(startNode(link))
        AND startNode(link).tenant = $tenant
        AND startNode(link).revoked IS :: BOOLEAN NOT NULL AND NOT startNode(link).revoked
        AND startNode(link).standing IN ['new', 'established'])
    WITH DISTINCT principal
    RETURN collect(principal) AS held
  }
  RETURN collect(CASE WHEN 'act' IN held_rights THEN user.id END) AS users,
    reduce(all = [], h IN collect(held) | all + h) AS held,
    reduce(all = [], r IN collect(held_rights) | all + r) AS rights
}
RETURN agent,
  known IS NOT NULL AS registered,
  trusted,
  has_user,
  known.standing AS standing,
  users,
  CASE WHEN 'read' IN rights THEN held + [agent, '*', 'public'] ELSE [] END AS principals,
  rights;
