/** Changing it later would rewrite the tables. With 16, partitions of 50 million memories are small enough. */
const PARTITIONS = 16;

/** Partitions by a hash of the project: one partition per project would publish its size in pg_class. */
function partition(table: string): string {
  return Array.from(
    { length: PARTITIONS },
    (_, at) => `CREATE TABLE cairn.${table}_${at} PARTITION OF cairn.${table}
  FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at});
ALTER TABLE cairn.${table}_${at} ENABLE ROW LEVEL SECURITY;`,
  ).join('\n');
}

const TABLES = 'meta member device project access origin change item ack claim key_epoch keybox'.split(' ');

/**
 * Only the owner has rights on tables. Keys begin with the project: with a unique index across projects, a duplicate
 * key would reveal that an id exists elsewhere.
 */
export const sql = `
CREATE TABLE cairn.meta (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  schema_version int NOT NULL,
  team uuid NOT NULL,
  epoch uuid NOT NULL,
  is_encrypted boolean NOT NULL,
  label text NOT NULL,
  members_role name NOT NULL
);

CREATE TABLE cairn.member (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  sees_all_projects boolean NOT NULL,
  is_read_only boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE UNIQUE INDEX member_label ON cairn.member (label) WHERE revoked_at IS NULL;

-- A machine, or the invitation to become one. The login role's name says nothing: pg_roles is readable by everyone.
CREATE TABLE cairn.device (
  role name PRIMARY KEY,
  member_id int NOT NULL REFERENCES cairn.member,
  label text CHECK (length(label) BETWEEN 1 AND 200),
  public_key bytea CHECK (octet_length(public_key) = 32),
  -- Made with the team's key: the server cannot add a machine that others would seal for.
  proof bytea CHECK (octet_length(proof) = 32),
  -- Of an invitation or a recovery code: the team's key, wrapped with its secret.
  team_key bytea CHECK (octet_length(team_key) <= 200),
  -- Stands for a recovery code, which a member keeps on paper: has keys, but no login.
  is_recovery boolean NOT NULL DEFAULT false,
  -- False as long as it may lack one: comparing all machines with all keys at each sync would take seconds in a large team.
  has_all_keys boolean NOT NULL DEFAULT false,
  invited_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  joined_at timestamptz,
  revoked_at timestamptz,
  last_seen timestamptz
);
CREATE INDEX device_member ON cairn.device (member_id);
CREATE INDEX device_keys_due ON cairn.device (role)
  WHERE NOT has_all_keys AND public_key IS NOT NULL AND revoked_at IS NULL;

-- Half-filled pages: every push updates head, in place.
CREATE TABLE cairn.project (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 500),
  label bytea NOT NULL CHECK (octet_length(label) <= 2000),
  head bigint NOT NULL DEFAULT 0,
  -- That of its last change.
  chain bytea NOT NULL DEFAULT '',
  is_rotation_due boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- For members who do not see all projects.
CREATE TABLE cairn.access (
  member_id int REFERENCES cairn.member,
  project_id int REFERENCES cairn.project,
  can_write boolean NOT NULL,
  PRIMARY KEY (member_id, project_id)
);

CREATE TABLE cairn.origin (
  origin uuid PRIMARY KEY,
  member_id int NOT NULL REFERENCES cairn.member
);

CREATE TABLE cairn.change (
  project_id int NOT NULL,
  seq bigint NOT NULL,
  origin uuid NOT NULL,
  n bigint NOT NULL,
  item uuid NOT NULL,
  aspect smallint NOT NULL,
  hlc bigint NOT NULL,
  author int NOT NULL,
  key_epoch int NOT NULL,
  digest bytea NOT NULL,
  -- SHA-256 of the chain of the change before and the digest: equal in two feeds only if all changes up to here are.
  chain bytea NOT NULL,
  payload bytea,
  refusal text,
  PRIMARY KEY (project_id, seq),
  UNIQUE (project_id, origin, n)
) PARTITION BY HASH (project_id);
CREATE INDEX change_item ON cairn.change (project_id, item);
${partition('change')}

-- The winner per item and aspect. An item with a row for its deletion is dead.
CREATE TABLE cairn.item (
  project_id int NOT NULL,
  item uuid NOT NULL,
  aspect smallint NOT NULL,
  hlc bigint NOT NULL,
  origin uuid NOT NULL,
  seq bigint NOT NULL,
  tokens int[],
  PRIMARY KEY (project_id, item, aspect)
) PARTITION BY HASH (project_id);
CREATE INDEX item_tokens ON cairn.item USING gin (tokens) WHERE tokens IS NOT NULL;
${partition('item')}

CREATE TABLE cairn.ack (
  device name REFERENCES cairn.device,
  project_id int REFERENCES cairn.project,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (device, project_id)
);

CREATE TABLE cairn.claim (
  project_id int REFERENCES cairn.project,
  item uuid,
  member_id int NOT NULL REFERENCES cairn.member,
  device name NOT NULL REFERENCES cairn.device,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, item)
);

CREATE TABLE cairn.key_epoch (
  project_id int NOT NULL REFERENCES cairn.project,
  key_epoch int NOT NULL CHECK (key_epoch > 0),
  check_value bytea NOT NULL CHECK (octet_length(check_value) <= 64),
  PRIMARY KEY (project_id, key_epoch)
);

CREATE TABLE cairn.keybox (
  project_id int NOT NULL,
  key_epoch int NOT NULL,
  device name NOT NULL REFERENCES cairn.device,
  sealed bytea NOT NULL CHECK (octet_length(sealed) <= 500),
  PRIMARY KEY (project_id, key_epoch, device),
  FOREIGN KEY (project_id, key_epoch) REFERENCES cairn.key_epoch
);
CREATE INDEX keybox_device ON cairn.keybox (device);

${TABLES.map((table) => `ALTER TABLE cairn.${table} ENABLE ROW LEVEL SECURITY;`).join('\n')}
`;
