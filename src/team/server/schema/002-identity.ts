/**
 * The identity and rights of callers. The identity is session_user: in these functions current_user is the owner, and
 * SET ROLE changes only current_user. The search_path of every function has pg_temp last: if it were missing it would
 * come first for types, and a domain “uuid” created there would run the caller's code as the owner.
 */
export const sql = `
CREATE FUNCTION cairn.version() RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS 'SELECT schema_version FROM cairn.meta';

-- Refuses roles that have more rights than a machine needs: some services add them to every role made in their console.
CREATE FUNCTION cairn.has_excess_rights(_role name) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM pg_catalog.pg_roles r
    WHERE r.rolname = _role
      AND (r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
        OR EXISTS (
          SELECT FROM pg_catalog.pg_auth_members m
          JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
          WHERE m.member = r.oid AND g.rolname <> (SELECT members_role FROM cairn.meta)))
  )
$$;

CREATE FUNCTION cairn.current_member() RETURNS cairn.member
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  _member cairn.member;
BEGIN
  SELECT m.* INTO _member FROM cairn.device d JOIN cairn.member m ON m.id = d.member_id
  WHERE d.role = session_user AND d.joined_at IS NOT NULL AND d.revoked_at IS NULL AND m.revoked_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = '28000', MESSAGE = 'This machine has no access to the team.';
  END IF;
  IF cairn.has_excess_rights(session_user) THEN
    RAISE EXCEPTION USING ERRCODE = '28000', MESSAGE = 'This machine''s role has rights that a member must not have.';
  END IF;
  RETURN _member;
END
$$;

CREATE FUNCTION cairn.list_rights(_member cairn.member) RETURNS TABLE (project_id int, can_write boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.id, NOT _member.is_read_only FROM cairn.project p WHERE _member.sees_all_projects
  UNION ALL
  SELECT a.project_id, a.can_write AND NOT _member.is_read_only FROM cairn.access a
  WHERE a.member_id = _member.id AND NOT _member.sees_all_projects
$$;

-- The same error for a project that does not exist and one without rights.
CREATE FUNCTION cairn.check_right(_member cairn.member, _project int, _to_write boolean) RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  _can_write boolean;
BEGIN
  IF _member.sees_all_projects THEN
    SELECT NOT _member.is_read_only INTO _can_write FROM cairn.project p WHERE p.id = _project;
  ELSE
    SELECT a.can_write AND NOT _member.is_read_only INTO _can_write FROM cairn.access a
    WHERE a.member_id = _member.id AND a.project_id = _project;
  END IF;
  IF _can_write IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'No such project, or no right to it.';
  END IF;
  IF _to_write AND NOT _can_write THEN
    RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'This member may only read the project.';
  END IF;
END
$$;

CREATE FUNCTION cairn.my_projects() RETURNS int[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(r.project_id), '{}') FROM cairn.list_rights(cairn.current_member()) r
$$;

-- The second wall, in case a table is ever granted: the subselect makes it one lookup per query, not one per row.
CREATE POLICY readable ON cairn.project FOR SELECT USING (id = ANY ((SELECT cairn.my_projects())::int[]));
CREATE POLICY readable ON cairn.change FOR SELECT USING (project_id = ANY ((SELECT cairn.my_projects())::int[]));
CREATE POLICY readable ON cairn.item FOR SELECT USING (project_id = ANY ((SELECT cairn.my_projects())::int[]));
CREATE POLICY readable ON cairn.ack FOR SELECT USING (project_id = ANY ((SELECT cairn.my_projects())::int[]));
CREATE POLICY readable ON cairn.claim FOR SELECT USING (project_id = ANY ((SELECT cairn.my_projects())::int[]));
`;
