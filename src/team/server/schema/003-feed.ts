/** The largest payload of a change. Only a larger one is refused, not its batch. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
export const MAX_TOKENS = 4096;
export const MAX_BATCH = 500;
export const MAX_PULL = 2000;
/** Bytes of payload in the answer to one pull, which must fit into memory. */
const MAX_PULL_BYTES = 8 * 1024 * 1024;
const MAX_CLOCK_LEAD_MS = 5 * 60_000;

/** `deletion` in codes.ts. */
const DELETION = 4;

export const sql = `
CREATE FUNCTION cairn.now_ms() RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS 'SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint';

-- At least one row, also for a member of no project.
CREATE FUNCTION cairn.heads() RETURNS TABLE (
  team uuid, epoch uuid, now_ms bigint, is_encrypted boolean,
  id int, key text, label bytea, head bigint, chain bytea, can_write boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  UPDATE cairn.device d SET last_seen = now()
  WHERE d.role = session_user AND (d.last_seen IS NULL OR d.last_seen < now() - interval '1 minute');
  RETURN QUERY
    SELECT m.team,
      -- Differs in a database that was dumped and restored, and in one copied to another cluster.
      md5(m.epoch::text || (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())::text)::uuid,
      cairn.now_ms(), m.is_encrypted, p.id, p.key, p.label, p.head, p.chain, r.can_write
    FROM cairn.meta m
    LEFT JOIN (cairn.list_rights(_member) r JOIN cairn.project p ON p.id = r.project_id) ON true
    ORDER BY p.id;
END
$$;

-- Only members who see all projects may register one: for others an unknown and a forbidden project look the same.
CREATE FUNCTION cairn.open_project(_key text, _label bytea) RETURNS TABLE (
  id int, key text, label bytea, head bigint, chain bytea, can_write boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  IF _member.sees_all_projects AND NOT _member.is_read_only THEN
    INSERT INTO cairn.project (key, label) SELECT _key, _label
    WHERE NOT EXISTS (SELECT FROM cairn.project p WHERE p.key = _key)
    ON CONFLICT (key) DO NOTHING;
  END IF;
  RETURN QUERY
    SELECT p.id, p.key, p.label, p.head, p.chain, r.can_write
    FROM cairn.list_rights(_member) r JOIN cairn.project p ON p.id = r.project_id
    WHERE p.key = _key AND r.can_write;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'This member may not share this project.';
  END IF;
END
$$;

-- One call is one transaction. The project's row is locked until it commits, so numbers follow the order of commits,
-- without holes: a sequence would show readers a later number before an earlier one.
CREATE FUNCTION cairn.push(
  _project int, _origin uuid, _n bigint[], _item text[], _aspect int[], _hlc text[], _digest bytea[],
  _payload bytea[], _key_epoch int[], _tokens text[], _refusal text[],
  OUT outcome text, OUT last_n bigint, OUT head bigint, OUT now_ms bigint,
  OUT refused_n bigint[], OUT refused_reason text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
  _owner int;
  _head bigint;
  _chain bytea;
  _chains bytea[] := '{}';
  _added bytea;
  _last bigint;
  _first bigint := _n[1];
  _count int := coalesce(cardinality(_n), 0);
BEGIN
  PERFORM cairn.check_right(_member, _project, true);
  IF _count NOT BETWEEN 1 AND ${MAX_BATCH} OR _first < 1
    OR EXISTS (SELECT FROM generate_subscripts(_n, 1) at WHERE _n[at] IS DISTINCT FROM _first + at - 1) THEN
    RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'A push has 1 to ${MAX_BATCH} changes with consecutive numbers.';
  END IF;

  SELECT p.head, p.chain INTO _head, _chain FROM cairn.project p WHERE p.id = _project FOR UPDATE;
  now_ms := cairn.now_ms();
  INSERT INTO cairn.origin (origin, member_id) VALUES (_origin, _member.id) ON CONFLICT DO NOTHING;
  SELECT o.member_id INTO _owner FROM cairn.origin o WHERE o.origin = _origin;
  IF _owner IS DISTINCT FROM _member.id THEN
    outcome := 'fork'; last_n := _first; RETURN;
  END IF;

  SELECT coalesce(max(c.n), 0) INTO _last FROM cairn.change c
  WHERE c.project_id = _project AND c.origin = _origin;
  IF _first > _last + 1 THEN
    outcome := 'gap'; last_n := _last + 1; RETURN;
  END IF;
  SELECT min(c.n) INTO last_n FROM unnest(_n, _digest) u(n, digest)
  JOIN cairn.change c ON c.project_id = _project AND c.origin = _origin AND c.n = u.n
  WHERE c.digest IS DISTINCT FROM coalesce(substr(u.digest, 1, 32), '');
  IF last_n IS NOT NULL THEN
    outcome := 'fork'; RETURN;
  END IF;
  IF EXISTS (
    SELECT FROM unnest(_n, _hlc) u(n, hlc)
    WHERE u.n > _last AND u.hlc ~ '^[0-9]+$'
      AND CASE WHEN length(u.hlc) > 18 THEN true ELSE (u.hlc::bigint >> 16) > now_ms + ${MAX_CLOCK_LEAD_MS} END
  ) THEN
    outcome := 'clock'; RETURN;
  END IF;
  -- Nothing is stored that someone who lost access could open, or that was not sealed.
  IF (SELECT m.is_encrypted FROM cairn.meta m) AND EXISTS (
    SELECT FROM unnest(_n, _payload, _key_epoch) u(n, payload, key_epoch)
    WHERE u.n > _last AND u.payload IS NOT NULL AND (
      (SELECT p.is_rotation_due FROM cairn.project p WHERE p.id = _project)
      OR u.key_epoch IS DISTINCT FROM (
        SELECT max(e.key_epoch) FROM cairn.key_epoch e WHERE e.project_id = _project))
  ) THEN
    RAISE EXCEPTION USING ERRCODE = 'CA002', MESSAGE = 'The key of this project has changed.';
  END IF;

  FOR _added IN
    SELECT coalesce(substr(u.digest, 1, 32), '') FROM unnest(_n, _digest) u(n, digest) WHERE u.n > _last ORDER BY u.n
  LOOP
    _chain := sha256(_chain || _added);
    _chains := _chains || _chain;
  END LOOP;

  WITH sent AS (
    SELECT u.*, coalesce(u.refusal, CASE
        WHEN u.item IS NULL OR u.item !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN 'malformed item'
        WHEN u.aspect IS NULL OR u.aspect NOT BETWEEN 0 AND ${DELETION} THEN 'unknown aspect'
        WHEN u.hlc IS NULL OR u.hlc !~ '^[0-9]{1,18}$' THEN 'malformed clock'
        WHEN u.digest IS NULL OR octet_length(u.digest) <> 32 THEN 'malformed digest'
        WHEN u.key_epoch IS NULL OR u.key_epoch < 0 THEN 'malformed key epoch'
        WHEN octet_length(u.payload) > ${MAX_PAYLOAD_BYTES} THEN 'too large'
        WHEN cardinality(string_to_array(u.tokens, ',')) > ${MAX_TOKENS} THEN 'too many words'
        WHEN u.payload IS NULL AND u.aspect <> ${DELETION} THEN 'no payload'
      END) AS why
    FROM unnest(_n, _item, _aspect, _hlc, _digest, _payload, _key_epoch, _tokens, _refusal)
      u(n, item, aspect, hlc, digest, payload, key_epoch, tokens, refusal)
    WHERE u.n > _last
  ), checked AS MATERIALIZED (
    SELECT s.n, _head + row_number() OVER (ORDER BY s.n) AS seq, s.why,
      CASE WHEN s.why IS NULL THEN s.item::uuid ELSE '00000000-0000-0000-0000-000000000000' END AS item,
      CASE WHEN s.why IS NULL THEN s.aspect ELSE 0 END::smallint AS aspect,
      CASE WHEN s.why IS NULL THEN s.hlc::bigint ELSE 0 END AS hlc,
      coalesce(substr(s.digest, 1, 32), '') AS digest,
      CASE WHEN s.why IS NULL AND s.aspect <> ${DELETION} THEN s.payload END AS payload,
      CASE WHEN s.why IS NULL THEN s.key_epoch ELSE 0 END AS key_epoch,
      CASE WHEN s.why IS NULL AND s.aspect <> ${DELETION} AND s.tokens <> ''
        THEN string_to_array(s.tokens, ',')::int[] END AS tokens
    FROM sent s
  ), newly_dead AS MATERIALIZED (
    SELECT DISTINCT c.item FROM checked c WHERE c.why IS NULL AND c.aspect = ${DELETION}
  ), dead AS MATERIALIZED (
    SELECT d.item FROM newly_dead d
    UNION
    SELECT i.item FROM cairn.item i
    WHERE i.project_id = _project AND i.aspect = ${DELETION} AND i.item = ANY (ARRAY(SELECT c.item FROM checked c))
  ), stored AS (
    INSERT INTO cairn.change
      (project_id, seq, origin, n, item, aspect, hlc, author, key_epoch, digest, chain, payload, refusal)
    SELECT _project, c.seq, _origin, c.n, c.item, c.aspect, c.hlc, _member.id, c.key_epoch, c.digest,
      _chains[c.n - _last],
      CASE WHEN c.item NOT IN (SELECT d.item FROM dead d) THEN c.payload END, c.why
    FROM checked c
    RETURNING 1
  ), stripped AS (
    UPDATE cairn.change c SET payload = NULL
    WHERE c.project_id = _project AND c.item = ANY (ARRAY(SELECT d.item FROM newly_dead d))
      AND c.payload IS NOT NULL
  ), unindexed AS (
    UPDATE cairn.item i SET tokens = NULL
    WHERE i.project_id = _project AND i.item = ANY (ARRAY(SELECT d.item FROM newly_dead d))
      AND i.tokens IS NOT NULL AND NOT EXISTS (
        SELECT FROM checked c WHERE c.item = i.item AND c.aspect = i.aspect AND c.why IS NULL)
  ), won AS (
    INSERT INTO cairn.item AS i (project_id, item, aspect, hlc, origin, seq, tokens)
    SELECT DISTINCT ON (c.item, c.aspect) _project, c.item, c.aspect, c.hlc, _origin, c.seq,
      CASE WHEN c.item NOT IN (SELECT d.item FROM dead d) THEN c.tokens END
    FROM checked c WHERE c.why IS NULL
    ORDER BY c.item, c.aspect, c.hlc DESC, c.n
    ON CONFLICT (project_id, item, aspect) DO UPDATE SET
      hlc = CASE WHEN (excluded.hlc, excluded.origin) > (i.hlc, i.origin) THEN excluded.hlc ELSE i.hlc END,
      origin = CASE WHEN (excluded.hlc, excluded.origin) > (i.hlc, i.origin) THEN excluded.origin ELSE i.origin END,
      seq = CASE WHEN (excluded.hlc, excluded.origin) > (i.hlc, i.origin) THEN excluded.seq ELSE i.seq END,
      tokens = CASE
        WHEN i.item IN (SELECT d.item FROM dead d) THEN NULL
        WHEN (excluded.hlc, excluded.origin) > (i.hlc, i.origin) THEN excluded.tokens
        ELSE i.tokens END
  )
  SELECT _head + count(*) INTO _head FROM stored;

  UPDATE cairn.project p SET head = _head, chain = _chain WHERE p.id = _project AND p.head <> _head;
  -- Also those of an earlier push whose answer was lost.
  SELECT array_agg(c.n ORDER BY c.n), array_agg(c.refusal ORDER BY c.n) INTO refused_n, refused_reason
  FROM cairn.change c
  WHERE c.project_id = _project AND c.origin = _origin AND c.n BETWEEN _first AND _first + _count - 1
    AND c.refusal IS NOT NULL;
  outcome := 'stored';
  last_n := greatest(_last, _first + _count - 1);
  head := _head;
END
$$;

-- At least one row, whose seq is null if there are no changes.
CREATE FUNCTION cairn.pull(_project int, _after bigint, _after_chain bytea, _limit int) RETURNS TABLE (
  head bigint, is_diverged boolean, seq bigint, origin uuid, n bigint, item uuid, aspect smallint, hlc bigint,
  author text, digest bytea, chain bytea, payload bytea, key_epoch int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = 'force_custom_plan'
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
  _head bigint;
BEGIN
  PERFORM cairn.check_right(_member, _project, false);
  SELECT p.head INTO _head FROM cairn.project p WHERE p.id = _project;
  IF _after > _head OR (_after > 0 AND NOT EXISTS (
    SELECT FROM cairn.change c WHERE c.project_id = _project AND c.seq = _after AND c.chain = _after_chain
  )) THEN
    RETURN QUERY SELECT _head, true, NULL::bigint, NULL::uuid, NULL::bigint, NULL::uuid, NULL::smallint, NULL::bigint,
      NULL::text, NULL::bytea, NULL::bytea, NULL::bytea, NULL::int;
    RETURN;
  END IF;
  RETURN QUERY
    SELECT _head, false, c.seq, c.origin, c.n, c.item, c.aspect, c.hlc, m.label, c.digest, c.chain, c.payload, c.key_epoch
    FROM (
      SELECT *, sum(coalesce(octet_length(w.payload), 0)) OVER (ORDER BY w.seq) - coalesce(octet_length(w.payload), 0)
        AS bytes_before
      FROM cairn.change w
      WHERE w.project_id = _project AND w.seq > _after
        AND w.seq <= _after + least(greatest(_limit, 1), ${MAX_PULL})
    ) c JOIN cairn.member m ON m.id = c.author
    WHERE c.bytes_before < ${MAX_PULL_BYTES}
    ORDER BY c.seq;
  IF NOT FOUND THEN
    RETURN QUERY SELECT _head, false, NULL::bigint, NULL::uuid, NULL::bigint, NULL::uuid, NULL::smallint, NULL::bigint,
      NULL::text, NULL::bytea, NULL::bytea, NULL::bytea, NULL::int;
  END IF;
END
$$;

CREATE FUNCTION cairn.confirm(_project int, _seq bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  PERFORM cairn.check_right(_member, _project, false);
  INSERT INTO cairn.ack AS a (device, project_id, seq, at)
  SELECT session_user, p.id, least(_seq, p.head), now() FROM cairn.project p WHERE p.id = _project
  ON CONFLICT (device, project_id) DO UPDATE SET seq = excluded.seq, at = excluded.at;
END
$$;

-- The same machine may ask again: its first answer may have been lost.
CREATE FUNCTION cairn.claim(_project int, _item uuid, OUT is_claimed boolean, OUT taken_by text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  PERFORM cairn.check_right(_member, _project, true);
  INSERT INTO cairn.claim (project_id, item, member_id, device)
  SELECT _project, _item, _member.id, session_user
  WHERE EXISTS (SELECT FROM cairn.item i WHERE i.project_id = _project AND i.item = _item)
    AND NOT EXISTS (
      SELECT FROM cairn.item i WHERE i.project_id = _project AND i.item = _item AND i.aspect = ${DELETION})
  ON CONFLICT (project_id, item) DO NOTHING;
  SELECT c.device = session_user, m.label INTO is_claimed, taken_by
  FROM cairn.claim c JOIN cairn.member m ON m.id = c.member_id
  WHERE c.project_id = _project AND c.item = _item;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'No such item, or it was deleted.';
  END IF;
END
$$;
`;
