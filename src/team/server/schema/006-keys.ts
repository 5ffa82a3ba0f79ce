/** How many machines one call compares with all keys of their projects. */
const MAX_CHECKED = 100;

/** Keys of an encrypted team's projects. The server stores them sealed, each for one machine. */
export const sql = `
-- Sealed for this machine, with the value that tells whether an opened key is the right one.
CREATE FUNCTION cairn.my_keys() RETURNS TABLE (
  project_id int, key_epoch int, check_value bytea, sealed bytea, is_rotation_due boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  RETURN QUERY
    SELECT e.project_id, e.key_epoch, e.check_value, b.sealed, p.is_rotation_due AND r.can_write
    FROM cairn.key_epoch e
    JOIN cairn.project p ON p.id = e.project_id
    JOIN cairn.list_rights(_member) r ON r.project_id = e.project_id
    LEFT JOIN cairn.keybox b
      ON b.project_id = e.project_id AND b.key_epoch = e.key_epoch AND b.device = session_user
    ORDER BY e.project_id, e.key_epoch;
END
$$;

-- Adds an epoch, or more machines to one. An epoch that exists keeps its key: the caller made another one in vain.
CREATE FUNCTION cairn.put_keys(
  _project int, _key_epoch int, _check_value bytea, _roles name[], _sealed bytea[], OUT is_stored boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
  _newest int;
BEGIN
  PERFORM cairn.check_right(_member, _project, false);
  PERFORM FROM cairn.project p WHERE p.id = _project FOR UPDATE;
  SELECT coalesce(max(e.key_epoch), 0) INTO _newest FROM cairn.key_epoch e WHERE e.project_id = _project;
  IF _key_epoch = _newest + 1 THEN
    PERFORM cairn.check_right(_member, _project, true);
    INSERT INTO cairn.key_epoch (project_id, key_epoch, check_value) VALUES (_project, _key_epoch, _check_value);
    UPDATE cairn.project p SET is_rotation_due = false WHERE p.id = _project;
  END IF;
  is_stored := EXISTS (
    SELECT FROM cairn.key_epoch e
    WHERE e.project_id = _project AND e.key_epoch = _key_epoch AND e.check_value = _check_value);
  IF is_stored THEN
    INSERT INTO cairn.keybox (project_id, key_epoch, device, sealed)
    SELECT _project, _key_epoch, d.role, u.sealed
    FROM unnest(_roles, _sealed) u(role, sealed) JOIN cairn.device d ON d.role = u.role AND d.revoked_at IS NULL
    ON CONFLICT DO NOTHING;
    IF _key_epoch = _newest + 1 THEN
      UPDATE cairn.device d SET has_all_keys = false FROM cairn.member m
      WHERE m.id = d.member_id AND d.public_key IS NOT NULL AND d.revoked_at IS NULL
        AND (m.sees_all_projects OR EXISTS (
          SELECT FROM cairn.access a WHERE a.member_id = m.id AND a.project_id = _project))
        AND NOT EXISTS (
          SELECT FROM cairn.keybox b
          WHERE b.project_id = _project AND b.key_epoch = _key_epoch AND b.device = d.role);
    END IF;
  END IF;
END
$$;

-- Of these machines. Both sides in one pass: the planner does not know how few they are, and would read all keys.
CREATE FUNCTION cairn.list_missing_keys(_roles name[]) RETURNS TABLE (project_id int, key_epoch int, role name)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT e.project_id, e.key_epoch, d.role
  FROM cairn.device d JOIN cairn.member m ON m.id = d.member_id
  CROSS JOIN LATERAL cairn.list_rights(m) r
  JOIN cairn.key_epoch e ON e.project_id = r.project_id
  WHERE d.role = ANY (_roles)
  EXCEPT
  SELECT b.project_id, b.key_epoch, b.device FROM cairn.keybox b WHERE b.device = ANY (_roles)
$$;

-- Machines that may read a project of the caller and have no key of an epoch. Those that are found to have all are not
-- looked at again until they may lack one; only a member who sees all projects can tell. Of many it takes some, by chance.
CREATE FUNCTION cairn.missing_keys() RETURNS TABLE (
  project_id int, key_epoch int, role name, public_key bytea, proof bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
  _due name[] := ARRAY(
    SELECT d.role FROM cairn.device d JOIN cairn.member m ON m.id = d.member_id
    WHERE NOT d.has_all_keys AND d.public_key IS NOT NULL AND d.revoked_at IS NULL AND m.revoked_at IS NULL
      AND (d.joined_at IS NOT NULL OR d.expires_at > now())
    ORDER BY random() LIMIT ${MAX_CHECKED});
  _locked name[];
BEGIN
  IF cardinality(_due) = 0 THEN
    RETURN;
  END IF;
  IF _member.sees_all_projects THEN
    -- A statement of its own: the next one then sees all that happened to these machines, and nothing happens meanwhile.
    _locked := ARRAY(SELECT d.role FROM cairn.device d WHERE d.role = ANY (_due) FOR NO KEY UPDATE SKIP LOCKED);
    UPDATE cairn.device d SET has_all_keys = true
    WHERE d.role = ANY (_locked) AND d.role NOT IN (SELECT k.role FROM cairn.list_missing_keys(_locked) k);
  END IF;
  RETURN QUERY
    SELECT k.project_id, k.key_epoch, d.role, d.public_key, d.proof
    FROM cairn.list_missing_keys(_due) k
    JOIN cairn.list_rights(_member) mine ON mine.project_id = k.project_id
    JOIN cairn.device d ON d.role = k.role
    ORDER BY 1, 2, 3;
END
$$;

-- What may leave a machine without a key: one was taken from it, or its member may read more. A new epoch: see put_keys.
CREATE FUNCTION cairn.note_lost_keys() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE cairn.device SET has_all_keys = false WHERE role IN (SELECT device FROM gone);
  RETURN NULL;
END
$$;
CREATE TRIGGER lost_keys AFTER DELETE ON cairn.keybox REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION cairn.note_lost_keys();

CREATE FUNCTION cairn.note_new_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  _member int;
BEGIN
  IF TG_TABLE_NAME = 'access' THEN
    _member := new.member_id;
  ELSE
    _member := new.id;
  END IF;
  UPDATE cairn.device SET has_all_keys = false WHERE member_id = _member;
  RETURN NULL;
END
$$;
CREATE TRIGGER new_rights AFTER INSERT ON cairn.access
  FOR EACH ROW EXECUTE FUNCTION cairn.note_new_rights();
CREATE TRIGGER new_rights AFTER UPDATE OF sees_all_projects ON cairn.member
  FOR EACH ROW WHEN (new.sees_all_projects) EXECUTE FUNCTION cairn.note_new_rights();

-- All machines that may read a project, to seal a new epoch for.
CREATE FUNCTION cairn.readers_of(_project int) RETURNS TABLE (role name, public_key bytea, proof bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  PERFORM cairn.check_right(_member, _project, false);
  RETURN QUERY
    SELECT d.role, d.public_key, d.proof FROM cairn.device d
    JOIN cairn.list_colleagues(_member) m ON m.id = d.member_id
    WHERE d.public_key IS NOT NULL AND d.revoked_at IS NULL AND m.revoked_at IS NULL
      AND (d.joined_at IS NOT NULL OR d.expires_at > now())
      AND (m.sees_all_projects OR EXISTS (
        SELECT FROM cairn.access a WHERE a.member_id = m.id AND a.project_id = _project))
    ORDER BY 1;
END
$$;

-- A key that this machine cannot open: others then see it as missing and seal it again.
CREATE FUNCTION cairn.reject_key(_project int, _key_epoch int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM cairn.current_member();
  DELETE FROM cairn.keybox WHERE device = session_user AND project_id = _project AND key_epoch = _key_epoch;
END
$$;

-- What the member's recovery code opens.
CREATE FUNCTION cairn.recovery_keys() RETURNS TABLE (
  project_id int, key_epoch int, check_value bytea, sealed bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  RETURN QUERY
    SELECT b.project_id, b.key_epoch, e.check_value, b.sealed
    FROM cairn.keybox b
    JOIN cairn.device d ON d.role = b.device AND d.is_recovery AND d.member_id = _member.id
    JOIN cairn.key_epoch e ON e.project_id = b.project_id AND e.key_epoch = b.key_epoch
    ORDER BY 1, 2;
END
$$;

-- What an invitation's key opens; the caller seals it again for the machine's own key, in the transaction that joins.
CREATE FUNCTION cairn.take_invitation_keys() RETURNS TABLE (
  project_id int, key_epoch int, check_value bytea, sealed bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  RETURN QUERY
    DELETE FROM cairn.keybox b USING cairn.key_epoch e
    WHERE b.device = session_user AND e.project_id = b.project_id AND e.key_epoch = b.key_epoch
    RETURNING b.project_id, b.key_epoch, e.check_value, b.sealed;
END
$$;

-- Another key pair for this machine. What was sealed for the old one goes, and projects get new keys.
CREATE FUNCTION cairn.replace_device_key(_public_key bytea, _proof bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  _member cairn.member := cairn.current_member();
BEGIN
  UPDATE cairn.device SET public_key = _public_key, proof = _proof WHERE role = session_user;
  DELETE FROM cairn.keybox WHERE device = session_user;
  UPDATE cairn.project p SET is_rotation_due = true
  WHERE p.id IN (SELECT r.project_id FROM cairn.list_rights(_member) r);
END
$$;
`;
