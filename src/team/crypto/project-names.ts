import { createHmac } from 'node:crypto';
import { openPayload, sealPayload } from './envelope.ts';

/** The team's key has one epoch: with another one, projects would get other names. */
const TEAM_KEY_EPOCH = 1;

/** What the server knows a project by. The same on every machine of the team, and meaningless without its key. */
export function hideProjectKey(teamKey: Uint8Array, project: string): string {
  return createHmac('sha256', teamKey).update('cairn team project').update(project).digest('base64url');
}

export function sealLabel(label: string, teamKey: Uint8Array, team: string, projectKey: string): Uint8Array {
  return sealPayload(Buffer.from(label), teamKey, TEAM_KEY_EPOCH, labelPlace(team, projectKey));
}

/** @returns null if it is not a label of this project. */
export function openLabel(
  sealed: Uint8Array,
  teamKey: Uint8Array,
  team: string,
  projectKey: string,
): string | null {
  const opened = openPayload(sealed, () => teamKey, labelPlace(team, projectKey));
  return opened.outcome === 'opened' ? Buffer.from(opened.plain).toString('utf8') : null;
}

function labelPlace(team: string, projectKey: string) {
  return { team, projectKey, item: '', aspect: 'label', hlc: '0', origin: '', n: 0 };
}
