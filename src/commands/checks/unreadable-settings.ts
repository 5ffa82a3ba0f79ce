import type { AgentInstaller, InstallPart, InstallPlace } from '../../agents/install/agent-installer.ts';
import { InvalidJsonError } from '../../agents/install/json-text.ts';
import { findNotPlain, NotPlainJsonError } from '../../agents/install/plain-json.ts';
import { findCure } from '../../agents/install/settings-file.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import { bad, type Check } from './check.ts';

/** Files of an agent that Cairn cannot read or parse, or that the agent itself ignores: one check per file. */
export function findUnreadableSettings(installer: AgentInstaller, place: InstallPlace): Check[] {
  const problems = new Map<string, Check>();
  for (const part of installer.listParts(place))
    try {
      part.inspect(readPartFile(part));
    } catch (error) {
      if (!problems.has(part.path))
        problems.set(part.path, createUnreadableCheck(installer, part.path, error));
    }
  return [...problems.values()];
}

/** The text of a part's file; null if there is none. Throws if the agent or Cairn cannot read it. */
export function readPartFile({ path, isPlainJson }: InstallPart): string | null {
  const bytes = readRegularIfThere(path, CONFIG_LIMIT);
  const text = bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const extra = text === null || !isPlainJson ? null : findNotPlain(text);
  if (extra) throw extra;
  return text;
}

export function createUnreadableCheck({ id, name }: AgentInstaller, file: string, error: unknown): Check {
  if (!(error instanceof InvalidJsonError)) {
    const { reason, fix } = findCure(error) ?? {
      reason: 'it is not a regular file',
      fix: 'Move or remove it.',
    };
    return bad(name, `${file} cannot be read: ${reason}`, fix);
  }
  const message = `${file}:${error.line}:${error.column}: ${error.message}`;
  if (error instanceof NotPlainJsonError)
    return bad(
      name,
      `${message}, so ${name} ignores the whole file`,
      `Run: cairn install ${id} --fix-settings`,
    );
  return bad(name, message, 'Correct this place in the file.');
}
