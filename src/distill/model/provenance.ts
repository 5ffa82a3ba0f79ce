import type { Observation } from '../../model/memory.ts';
import { inProject } from '../offline/calls/paths.ts';
import type { Turn } from '../turn.ts';

/** The files of a turn, relative to the project, and whether a tool changed them. */
export type TurnFiles = Map<string, { modified: boolean; inCommand: boolean }>;

const MOST_EVENTS = 50;

export function collectFiles(turn: Turn): TurnFiles {
  const known: TurnFiles = new Map();
  const touch = (path: string, modified: boolean, inCommand: boolean) => {
    const before = known.get(path);
    known.set(path, {
      modified: modified || (before?.modified ?? false),
      inCommand: inCommand || (before?.inCommand ?? false),
    });
  };
  for (const { files, command, outcome } of turn.calls) {
    for (const { path, how } of files) {
      touch(inProject(path, turn.folder), how === 'write' && outcome === 'success', false);
    }
    for (const path of pathsIn(command ?? '')) touch(inProject(path, turn.folder), false, true);
  }
  for (const path of turn.changedFiles) touch(path, true, false);
  return known;
}

/** The files of the whole turn; what only a command names may not even exist. */
export function filesOf(turn: Turn, most: number): { filesRead: string[]; filesModified: string[] } {
  const touched = [...collectFiles(turn)].filter(([path]) => path !== '');
  const opened = new Set(
    turn.calls.flatMap(({ files }) => files.map(({ path }) => inProject(path, turn.folder))),
  );
  return {
    filesRead: touched
      .filter(([path, { modified }]) => !modified && opened.has(path))
      .map(firstOf)
      .slice(0, most),
    filesModified: touched
      .filter(([, { modified }]) => modified)
      .map(firstOf)
      .slice(0, most),
  };
}

/**
 * Only files of the turn, as the turn names them. A file that no call changed was not modified, whatever the model
 * says; effects of a command on files are not visible.
 */
export function pickFiles(
  { read, modified }: { read: string[]; modified: string[] },
  known: TurnFiles,
  most: number,
): { filesRead: string[]; filesModified: string[] } {
  const claimed = names(modified, known);
  const filesModified = claimed.filter((path) => {
    const file = known.get(path);
    return file?.modified === true || file?.inCommand === true;
  });
  const others = [...names(read, known), ...claimed].filter((path) => !filesModified.includes(path));
  return { filesRead: [...new Set(others)].slice(0, most), filesModified: filesModified.slice(0, most) };
}

/** The calls an observation was made from: those that touch its files, and commands it quotes. */
export function findSourceEvents(observation: Omit<Observation, 'events'>, turn: Turn): number[] {
  const files = new Set([...observation.filesRead, ...observation.filesModified]);
  const { title, subtitle, narrative, facts } = observation;
  const quoted = [title, subtitle, narrative, ...facts].flatMap(commandsQuotedIn);
  return turn.calls
    .filter(({ files: touched, command }) => {
      if (touched.some(({ path }) => files.has(inProject(path, turn.folder)))) return true;
      if (command === undefined) return false;
      return (
        pathsIn(command).some((path) => files.has(inProject(path, turn.folder))) ||
        quoted.some((words) => command.includes(words))
      );
    })
    .map(({ event }) => event)
    .slice(0, MOST_EVENTS);
}

function names(given: string[], known: TurnFiles): string[] {
  const found = given.flatMap((path) => nameOf(path, known) ?? []);
  return [...new Set(found)];
}

/** A model may shorten a path or give it in full; it counts if it matches only one file. */
function nameOf(path: string, known: TurnFiles): string | undefined {
  const plain = path.trim().replaceAll('\\', '/').replace(/^\.\//, '');
  if (plain === '') return undefined;
  if (known.has(plain)) return plain;
  const alike = [...known.keys()].filter((path) => path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Words of a command that look like paths. */
function pathsIn(command: string): string[] {
  return command.slice(0, 2_000).match(/(?<![\w/.@-])[\w@./-]*[\w-]\.[A-Za-z]\w{0,6}(?![\w/])/g) ?? [];
}

/** A single word in a code span may be anything; two are a command. */
function commandsQuotedIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, words]) =>
    words?.trim().includes(' ') ? [words.trim()] : [],
  );
}

function firstOf([path]: [string, unknown]): string {
  return path;
}
