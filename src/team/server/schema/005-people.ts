/** What members see of each other, and how a machine joins and leaves. */
export const sql = `
-- While it is valid. Every refusal has the same text.
CREATE FUNCTION cairn.read_invitation(OUT team uuid, OUT is_encrypted boolean, OUT team_key bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  SELECT t.team, t.is_encrypted, d.team_key INTO team, is_encrypted, team_key
  FROM cairn.device d JOIN cairn.member m ON m.id = d.member_id, cairn.meta t
  WHERE d.role = session_user AND m.revoked_at IS NULL
    AND d.joined_at IS NULL AND d.revoked_at IS NULL AND d.expires_at > now();
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = '28000', MESSAGE = 'This link was used, has expired or was revoked. Ask for a new link.';
  END IF;
END
$$;

-- Once.
CREATE FUNCTION cairn.join_team(_label text, _public_key bytea, _proof bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
BEGIN
  UPDATE cairn.device d
  SET label = _label, public_key = _public_key, proof = _proof, team_key = NULL, joined_at = now(), last_seen = now()
  FROM cairn.member m
  WHERE d.role = session_user AND m.id = d.member_id AND m.revoked_at IS NULL
    AND d.joined_at IS NULL AND d.revoked_at IS NULL AND d.expires_at > now();
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = '28000', MESSAGE = 'This link was used, has expired or was revoked. Ask for a new link.';
  END IF;
  PERFORM cairn.current_member();
END
$$;

CREATE FUNCTION cairn.leave_team() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  UPDATE cairn.device SET revoked_at = now() WHERE role = session_user;
  UPDATE cairn.project p SET is_rotation_due = true
  WHERE p.id IN (SELECT r.project_id FROM cairn.list_rights(_member) r);
  DELETE FROM cairn.keybox WHERE device = session_user;
END
$$;

-- Those who share a project with the caller.
CREATE FUNCTION cairn.list_colleagues(_member cairn.member) RETURNS SETOF cairn.member
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.* FROM cairn.member m
  WHERE m.id = _member.id OR _member.sees_all_projects OR m.sees_all_projects
    OR EXISTS (
      SELECT FROM cairn.access mine JOIN cairn.access theirs ON theirs.project_id = mine.project_id
      WHERE mine.member_id = _member.id AND theirs.member_id = m.id)
$$;

CREATE FUNCTION cairn.members() RETURNS TABLE (
  id int, label text, is_me boolean, is_read_only boolean, sees_all_projects boolean, projects int[],
  created_at timestamptz, revoked_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  RETURN QUERY
    SELECT m.id, m.label, m.id = _member.id, m.is_read_only, m.sees_all_projects,
      ARRAY(
        SELECT theirs.project_id FROM cairn.list_rights(m) theirs
        JOIN cairn.list_rights(_member) mine ON mine.project_id = theirs.project_id ORDER BY 1),
      m.created_at, m.revoked_at
    FROM cairn.list_colleagues(_member) m ORDER BY m.id;
END
$$;

-- Confirmations only of projects that the caller may read, as parallel lists.
CREATE FUNCTION cairn.machines() RETURNS TABLE (
  role name, member_id int, member text, label text, is_this boolean, invited_at timestamptz, expires_at timestamptz,
  joined_at timestamptz, revoked_at timestamptz, last_seen timestamptz, projects int[], confirmed bigint[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  RETURN QUERY
    SELECT d.role, m.id, m.label, d.label, d.role = session_user, d.invited_at, d.expires_at,
      d.joined_at, coalesce(d.revoked_at, m.revoked_at), d.last_seen, c.projects, c.confirmed
    FROM cairn.list_colleagues(_member) m
    JOIN cairn.device d ON d.member_id = m.id AND NOT d.is_recovery
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(mine.project_id ORDER BY mine.project_id), '{}') AS projects,
        coalesce(array_agg(coalesce(a.seq, 0) ORDER BY mine.project_id), '{}') AS confirmed
      FROM cairn.list_rights(_member) mine
      JOIN cairn.list_rights(m) theirs ON theirs.project_id = mine.project_id
      LEFT JOIN cairn.ack a ON a.device = d.role AND a.project_id = mine.project_id
    ) c
    ORDER BY m.id, d.invited_at, d.role;
END
$$;
`;
