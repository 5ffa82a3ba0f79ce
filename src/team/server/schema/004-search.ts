import { ASPECT_CODES } from '../codes.ts';

const MAX_CANDIDATES = 5000;
const MAX_QUERY_TOKENS = 32;
const MAX_RESULTS = 200;
const MAX_READ = 50;

/** The winning value of another aspect of the item whose text is the change `c`. */
function selectValue(aspect: 'pin' | 'supersession' | 'state', condition = ''): string {
  return `(SELECT w.payload FROM cairn.item o JOIN cairn.change w ON w.project_id = o.project_id AND w.seq = o.seq
         WHERE o.project_id = c.project_id AND o.item = c.item AND o.aspect = ${ASPECT_CODES[aspect]} ${condition})`;
}

/** A state older than the text is ignored: a memory that was withdrawn before its text was written again exists. */
const OTHER_ASPECTS = [
  selectValue('pin'),
  selectValue('supersession'),
  selectValue('state', 'AND (o.hlc, o.origin) > (c.hlc, c.origin)'),
].join(', ');

/**
 * GIN returns rows in no order, so the cost grows with the number of matching rows. Each token gives a bounded number,
 * and the rarest are used until there are enough candidates. Tokens are literals instead of parameters: the planner
 * then knows how frequent each token is, and which partitions it needs.
 */
export const sql = `
CREATE FUNCTION cairn.search(_projects int[], _tokens int[], _limit int) RETURNS TABLE (
  project_id int, item uuid, author text, hlc bigint, payload bytea, pin bytea, supersession bytea, state bytea,
  matched int, frequencies jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  _asked int[] := ARRAY(SELECT DISTINCT t FROM unnest(_tokens[1:${MAX_QUERY_TOKENS}]) t WHERE t IS NOT NULL);
  _readable int[] := ARRAY(
    SELECT r.project_id FROM cairn.list_rights(cairn.current_member()) r
    WHERE _projects IS NULL OR r.project_id = ANY (_projects));
BEGIN
  IF cardinality(_asked) = 0 OR cardinality(_readable) = 0 THEN RETURN; END IF;
  RETURN QUERY EXECUTE
    'WITH hit AS MATERIALIZED (' || (
      SELECT string_agg(format(
        '(SELECT %1$s AS token, i.project_id, i.seq FROM cairn.item i
          WHERE i.project_id = ANY (%2$L::int[]) AND i.tokens OPERATOR(pg_catalog.@>) ARRAY[%1$s]
          LIMIT ${MAX_CANDIDATES + 1})', t, _readable), ' UNION ALL ')
      FROM unnest(_asked) t) || '),
    frequency AS (SELECT h.token, count(*) AS rows FROM hit h GROUP BY h.token),
    ranked AS (
      SELECT f.token, ln(1 + ${MAX_CANDIDATES} / f.rows::float8) AS weight,
        sum(f.rows) OVER w AS rows, row_number() OVER w AS rank
      FROM frequency f WINDOW w AS (ORDER BY f.rows, f.token)),
    best AS MATERIALIZED (
      SELECT h.project_id, h.seq, sum(r.weight) AS weight
      FROM hit h JOIN ranked r ON r.token = h.token
      WHERE r.rank = 1 OR r.rows <= ${MAX_CANDIDATES}
      GROUP BY h.project_id, h.seq ORDER BY weight DESC, h.seq DESC LIMIT $2)
    SELECT c.project_id, c.item, m.label, c.hlc, c.payload, ${OTHER_ASPECTS},
      (SELECT count(DISTINCT t)::int FROM unnest(i.tokens) t WHERE t = ANY ($1)),
      (SELECT jsonb_object_agg(f.token, f.rows) FROM frequency f)
    FROM best b
    JOIN cairn.change c ON c.project_id = b.project_id AND c.seq = b.seq
    JOIN cairn.item i ON i.project_id = c.project_id AND i.item = c.item AND i.aspect = c.aspect
    JOIN cairn.member m ON m.id = c.author
    WHERE c.payload IS NOT NULL
    ORDER BY b.weight DESC, b.seq DESC'
    USING _asked, least(greatest(_limit, 1), ${MAX_RESULTS});
END
$$;

-- The texts of items whose ids are within bounds: a person types the beginning of an id.
CREATE FUNCTION cairn.read_texts(_from uuid[], _to uuid[]) RETURNS TABLE (
  project_id int, item uuid, author text, hlc bigint, payload bytea, pin bytea, supersession bytea, state bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off SET plan_cache_mode = 'force_custom_plan'
AS $$
#variable_conflict use_column
DECLARE
  _readable int[] := ARRAY(SELECT r.project_id FROM cairn.list_rights(cairn.current_member()) r);
BEGIN
  RETURN QUERY
    SELECT i.project_id, i.item, m.label, c.hlc, c.payload, ${OTHER_ASPECTS}
    FROM unnest(_from[1:${MAX_READ}], _to[1:${MAX_READ}]) asked(lowest, highest)
    CROSS JOIN LATERAL (
      SELECT t.project_id, t.item, t.seq FROM cairn.item t
      WHERE t.project_id = ANY (_readable) AND t.item BETWEEN asked.lowest AND asked.highest
        AND t.aspect = ${ASPECT_CODES.text}
      LIMIT ${MAX_READ}
    ) i
    JOIN cairn.change c ON c.project_id = i.project_id AND c.seq = i.seq
    JOIN cairn.member m ON m.id = c.author
    WHERE c.payload IS NOT NULL
    ORDER BY i.project_id, i.item
    LIMIT ${MAX_READ};
END
$$;
`;
