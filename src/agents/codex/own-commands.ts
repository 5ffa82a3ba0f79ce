import type { InstallPlace } from '../install/agent-installer.ts';
import type { OwnFile } from '../install/marked-files.ts';
import { readSkills } from '../install/skills.ts';

/** Codex has skills instead of slash commands: the person names one as `$cairn-handoff`. */
export function readOwnSkills(place: Pick<InstallPlace, 'cairn'>): OwnFile[] {
  return readSkills(place, (name) => `$${name}`).map(({ name, text }) => ({
    name: name.replace(/^cairn-/, ''),
    text,
  }));
}
