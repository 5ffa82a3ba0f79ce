import { TeamError } from '../feed.ts';
import type { Connection } from './connect.ts';
import { migrations } from './schema/all.ts';
import { readVersion, refuseNewer } from './schema/migrate.ts';

/** To be called first on a connection: an older or newer schema is neither read nor changed. */
export async function requireTeam(client: Connection): Promise<void> {
  const version = await readVersion(client);
  if (version === null) throw new TeamError('not-a-team', 'There is no team in this database.');
  refuseNewer(version);
  if (version < migrations.length)
    throw new TeamError(
      'server',
      "The team's database has an older schema. An administrator updates it: cairn team upgrade",
    );
}
