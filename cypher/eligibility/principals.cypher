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
  OPTIONAL MATCH (known)-[:AUTHORIZED_BY*1..]->(end)
  WITH DISTINCT end // then what it is, so that no plan begins there
  WITH collect(CASE WHEN end:User AND end.tenant = $tenant
    AND end.revoked IS :: BOOLEAN NOT NULL AND NOT end.revoked
    AND end.standing IN ['new', 'established'] THEN end END) AS users
  UNWIND CASE WHEN users = [] THEN [null] ELSE users END AS user
  RETURN user
}
CALL (user, now) {
  OPTIONAL MATCH (grant:_Grant {tenant: $tenant, principal: user.id})
  WHERE grant.scopes IS :: LIST<STRING NOT NULL> NOT NULL
    AND grant.rights IS :: LIST<STRING NOT NULL> NOT NULL
    AND grant.revoked_at IS NULL
    AND grant.valid_from IS :: ZONED DATETIME NOT NULL AND grant.valid_from <= now
    AND (grant.valid_to IS NULL
      OR (grant.valid_to IS :: ZONED DATETIME NOT NULL AND now < grant.valid_to))
  RETURN reduce(all = [], s IN collect(grant.scopes) | all + s) AS granted,
    reduce(all = ['read', 'write', 'act', 'delegate'], r IN collect(grant.rights) | all + r)
      AS user_rights
}
// What to look for: each right asked for, and `read` for each principal of the user.
CALL (agent, known, trusted, now, user, granted, user_rights) {
  UNWIND [right IN $rights WHERE right IN user_rights | {right: right, principal: null}]
    + [principal IN [user.id] + user.teams + user.roles + granted | {right: 'read', principal: principal}] AS sought
  WITH DISTINCT sought
  WHERE trusted
    AND user.teams IS :: LIST<STRING NOT NULL> NOT NULL
    AND user.roles IS :: LIST<STRING NOT NULL> NOT NULL
  MATCH (known)-[chain:AUTHORIZED_BY*1..]->(end)
  WHERE all(link IN chain WHERE
      link.scopes IS :: LIST<STRING NOT NULL> NOT NULL
      AND link.rights IS :: LIST<STRING NOT NULL> NOT NULL
      AND sought.right IN link.rights
      AND (sought.principal IS NULL OR sought.principal IN link.scopes OR '@user' IN link.scopes)
      AND link.revoked_at IS NULL
      AND link.valid_from IS :: ZONED DATETIME NOT NULL AND link.valid_from <= now
      AND (link.valid_to IS NULL
        OR (link.valid_to IS :: ZONED DATETIME NOT NULL AND now < link.valid_to))
      AND (startNode(link).id = agent OR 'delegate' IN link.rights)
      AND 'Agent' IN labels(startNode(link))
      AND startNode(link).tenant = $tenant
      AND startNode(link).revoked IS :: BOOLEAN NOT NULL AND NOT startNode(link).revoked
      AND startNode(link).standing IN ['new', 'established'])
  WITH DISTINCT sought, end
  WHERE end = user
  RETURN [each IN collect(sought) WHERE each.principal IS NULL | each.right] AS held_rights,
    [each IN collect(sought) WHERE each.principal IS NOT NULL | each.principal] AS held
}
WITH agent, known, trusted,
  count(user) > 0 AS has_user,
  collect(CASE WHEN 'act' IN held_rights THEN user.id END) AS users,
  reduce(all = [], h IN collect(held) | all + h) AS held,
  reduce(all = [], r IN collect(held_rights) | all + r) AS rights
RETURN agent,
  known IS NOT NULL AS registered,
  trusted,
  has_user,
  known.standing AS standing,
  users,
  CASE WHEN 'read' IN rights THEN held + [agent, '*', 'public'] ELSE [] END AS principals,
  rights;
