import { createHmac } from 'node:crypto';
import { isObject, parseJson } from '../../model/json.ts';
import { openPayload, sealPayload } from './envelope.ts';
import type { TeamSecrets } from './team-secrets.ts';

/** The team's key has only one epoch: another key would give projects other names. */
const TEAM_KEY_EPOCH = 1;
const LONGEST_NAME = 400;

export interface ProjectLabel {
  /** The key of the project on machines, usually the address of its remote. */
  key: string;
  name: string;
}

/** The project key on the server: the same for every machine of the team, and meaningless without the team's key. */
export function hideProjectKey(teamKey: Uint8Array, project: string): string {
  return createHmac('sha256', teamKey).update('cairn team project').update(project).digest('base64url');
}

export function sealLabel({ key, name }: ProjectLabel, { team, teamKey }: Keys): Uint8Array {
  const plain = Buffer.from(JSON.stringify({ key, name: name.slice(0, LONGEST_NAME) }));
  return sealPayload(plain, teamKey, TEAM_KEY_EPOCH, labelPlace(team, hideProjectKey(teamKey, key)));
}

/** @returns null if it is not the label of the project with this key on the server. */
export function openLabel(sealed: Uint8Array, { team, teamKey }: Keys, hidden: string): ProjectLabel | null {
  const opened = openPayload(sealed, () => teamKey, labelPlace(team, hidden));
  if (opened.outcome !== 'opened') return null;
  const label = parseJson(Buffer.from(opened.plain).toString('utf8'));
  if (!isObject(label) || typeof label.key !== 'string' || typeof label.name !== 'string') return null;
  // A member could have put the address of another project into the label.
  return hideProjectKey(teamKey, label.key) === hidden ? { key: label.key, name: label.name } : null;
}

type Keys = Pick<TeamSecrets, 'team' | 'teamKey'>;

function labelPlace(team: string, projectKey: string) {
  return { team, projectKey, item: '', aspect: 'label', hlc: '0', origin: '', n: 0 };
}
