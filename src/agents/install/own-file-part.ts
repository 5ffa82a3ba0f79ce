import type { InstallPart, PartState } from './agent-installer.ts';
import { type EditedSettings, unchanged } from './edited-settings.ts';
import { OWN_MARK, readMark, signText } from './own-mark.ts';

export interface WantedFile {
  kind: InstallPart['kind'];
  label: string;
  path: string;
  /** The whole file. It contains `OWN_MARK` once, in a comment or an unused field. */
  text: string;
  isWanted?: boolean;
  events?: string[];
}

/** A file that Cairn owns, such as a plugin. A foreign file, or one that a person has changed, is left unchanged. */
export function createOwnFilePart({
  kind,
  label,
  path,
  text: wanted,
  isWanted = true,
  events,
}: WantedFile): InstallPart {
  if (wanted.split(OWN_MARK).length !== 2) throw new Error(`${path} must have the mark of Cairn once`);
  const signed = signText(wanted);
  return {
    kind,
    label,
    path,
    isWanted,
    isWholeFile: true,
    ...(events && { events }),
    install: (text) =>
      inspect(text) === 'foreign' ? unchanged(text) : replaceAll(text ?? '', signed, isThere(text)),
    remove: (text) =>
      isThere(text) && readMark(text) === 'ours' ? replaceAll(text, '', true) : unchanged(text),
    inspect,
    explain: (state) =>
      state === 'foreign'
        ? `${path} was not written by Cairn, or was changed since, so it was left unchanged. To use Cairn's, move it away and run this again.`
        : undefined,
  };

  function inspect(text: string | null): PartState {
    if (!isThere(text)) return 'missing';
    if (readMark(text) !== 'ours') return 'foreign';
    return text === signed ? 'installed' : 'outdated';
  }
}

function isThere(text: string | null): text is string {
  return text !== null && text.trim() !== '';
}

function replaceAll(before: string, after: string, wasThere: boolean): EditedSettings {
  return {
    text: after,
    changed: after !== before,
    undo: [{ offset: 0, removed: after, inserted: before }],
    made: { object: before === '', containers: [] },
    wasThere,
  };
}
