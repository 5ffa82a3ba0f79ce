import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Framed } from '../../model/framed.ts';
import { errorCode } from '../../platform/files.ts';
import { readRegularFile } from '../../platform/read-regular-file.ts';
import { type Block, findBlock, insertBlock, isBlank, removeBlock } from './block.ts';

const LARGEST_FILE = 10_000_000;

/** The files that agents read when they enter a folder. */
export const NOTE_FILES = ['CLAUDE.md', 'AGENTS.md'] as const;
export type NoteFileName = (typeof NOTE_FILES)[number];

/** The wanted content of a file; null if it should not exist. */
export interface NoteChange {
  path: string;
  before: Buffer | null;
  after: Buffer | null;
}

/** Why a file is left unchanged, and what to do. */
export interface NoteProblem {
  path: string;
  problem: string;
}

/** The wanted notes of a folder, and the file for the agent that works there. */
export interface WantedNotes {
  content: Framed;
  preferred: NoteFileName;
}

interface NoteFile {
  path: string;
  bytes: Buffer;
  block: Block | null;
}

/**
 * The changes that give a folder the wanted notes, or none (null). They go into the file that has a block already,
 * else an existing file, else the one for the agent; never both. `wanted` is called after the files were read: a memory
 * forgotten meanwhile is either missing in it, or the file has changed since.
 */
export function planNotes(folder: string, wanted: () => WantedNotes | null): (NoteChange | NoteProblem)[] {
  const candidates = NOTE_FILES.flatMap((name) => inspect(folder, name) ?? []).filter(isFirstOfItsPath);
  const unusable = candidates.filter((found) => 'problem' in found);
  const torn = unusable.filter((found) => found.torn !== null);
  const files = candidates.filter((found) => 'bytes' in found);
  const notes = wanted();
  if (notes === null) return [...torn.map(asProblem), ...files.flatMap(stripped)];
  if (torn.length > 0) return torn.map(asProblem);
  const { content, preferred } = notes;
  const target = chooseFile(files, join(folder, preferred));
  if (!target && unusable.length > 0) return unusable.map(asProblem);
  const missingTargets = candidates.flatMap((found) => ('leadsTo' in found ? [found.leadsTo] : []));
  return [
    target ? filled(target, content) : createChange(join(folder, missingTargets[0] ?? preferred), content),
    ...files.filter((file) => file !== target).flatMap(stripped),
  ];
}

function chooseFile(files: NoteFile[], preferred: string): NoteFile | undefined {
  const blocks = files.filter(({ block }) => block);
  const candidates = blocks.length > 0 ? blocks : files;
  return candidates.find(({ path }) => path === preferred) ?? candidates[0];
}

/** The text between the Cairn tags in a folder, or around damaged ones. */
export function readNotes(folder: string): string {
  const texts = NOTE_FILES.map((name) => {
    const found = inspect(folder, name);
    if (!found || 'leadsTo' in found) return '';
    return 'bytes' in found ? (found.block?.inside ?? '') : (found.torn ?? '');
  });
  return texts.join('\n');
}

/** A link and its target are one file. */
function isFirstOfItsPath(file: { path: string }, index: number, all: { path: string }[]): boolean {
  return all.findIndex(({ path }) => path === file.path) === index;
}

function asProblem({ path, problem }: Unusable): NoteProblem {
  return { path, problem };
}

function createChange(path: string, content: Framed): NoteChange {
  return { path, before: null, after: Buffer.from(insertBlock('', null, content), 'latin1') };
}

function filled({ path, bytes, block }: NoteFile, content: Framed): NoteChange {
  return {
    path,
    before: bytes,
    after: Buffer.from(insertBlock(bytes.toString('latin1'), block, content), 'latin1'),
  };
}

function stripped({ path, bytes, block }: NoteFile): NoteChange[] {
  if (!block) return [];
  const rest = removeBlock(block);
  return [{ path, before: bytes, after: isBlank(rest) ? null : Buffer.from(rest, 'latin1') }];
}

/** `torn`: text that contains damaged Cairn tags. */
type Unusable = NoteProblem & { torn: string | null };

/** A link to the other file, which does not exist yet. */
interface Awaited {
  path: string;
  leadsTo: NoteFileName;
}

function inspect(folder: string, name: NoteFileName): NoteFile | Unusable | Awaited | null {
  const path = join(folder, name);
  const unusable = (problem: string): Unusable => ({ path, problem, torn: null });
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry) return null;
  const target = entry.isSymbolicLink() ? targetOf(path) : path;
  if (target === null) {
    const other = NOTE_FILES.find((known) => known !== name && readlinkSync(path) === known);
    return other ? { path, leadsTo: other } : unusable('it is a broken link; left unchanged');
  }
  if (!NOTE_FILES.some((known) => join(folder, known) === target))
    return unusable(`it is a link to ${target}; notes go only into a file of this folder`);
  const stats = statSync(target);
  if (stats.isDirectory()) return unusable('it is a folder; left alone');
  if (!stats.isFile()) return unusable('it is not a file; left alone');
  const bytes = readRegularFile(target, { maxBytes: LARGEST_FILE });
  if (bytes === null) return unusable('it cannot be read, or is larger than 10 MB; left alone');
  if (bytes.includes(0)) return unusable('it is not plain text (UTF-8); left alone');
  const text = bytes.toString('latin1');
  const block = findBlock(text);
  if (block && 'problem' in block) {
    const problem = `${block.problem}; left alone. Put the tags right or remove them, then run: cairn notes`;
    return { path: target, problem, torn: text };
  }
  // Replacing a hard-linked file would separate it from its other names.
  if (stats.nlink > 1) {
    const problem = 'it has several names (hard links); left alone';
    return { path: target, problem, torn: block ? text : null };
  }
  return { path: target, bytes, block };
}

function targetOf(link: string): string | null {
  try {
    return realpathSync(link);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ELOOP') return null;
    throw error;
  }
}
