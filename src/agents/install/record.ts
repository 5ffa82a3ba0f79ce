import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import { readIfThere, writeAtomically } from '../../platform/files.ts';
import type { AddedParts } from './edited-settings.ts';
import type { TextEdit } from './json-text.ts';

/** Which agent the files belong to, and where Cairn records its changes to them. */
export interface RecordOwner {
  agent: string;
  recordFolder: string;
}

/** The changes of an installation, to undo them exactly. Of the user's text, it contains only what was removed. */
export interface InstallRecord {
  version: 2;
  file: string;
  /** Hash of the resulting text: the undo edits apply only to this text. */
  left: string;
  /** Null once another program changed it. */
  undo: TextEdit[] | null;
  made: AddedParts;
  madeFile: boolean;
  madeFolders: string[];
}

export function recordPath(folder: string, agent: string, target: string): string {
  return join(folder, `${agent}-${hashOf(target).slice(0, 16)}.json`);
}

/** An unreadable record counts as missing. */
export function readRecord(path: string): InstallRecord | undefined {
  const value = readJson(path);
  return isRecord(value) ? value : undefined;
}

/** The folders that were created for Cairn's files, outermost first. */
export interface FolderRecord {
  version: 2;
  folder: string;
  madeFolders: string[];
}

export function readFolderRecord(path: string): FolderRecord | undefined {
  const value = readJson(path);
  return isFolderRecord(value) ? value : undefined;
}

/** Outermost first. A folder of an earlier record may have been removed meanwhile. */
export function addMadeFolders(known: string[] | undefined, missing: string[]): string[] {
  return [...(known ?? []).filter((made) => !missing.includes(made)), ...missing];
}

/** The folders that each installation has created, outermost first. */
export function listMadeFolders(folder: string): string[][] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => {
    const value = readJson(join(folder, name));
    return isRecord(value) || isFolderRecord(value) ? [value.madeFolders] : [];
  });
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readIfThere(path) ?? 'null');
  } catch {
    return undefined;
  }
}

export interface RecordedFile {
  agent: string;
  file: string;
}

/** The files that installations have changed. */
export function listRecordedFiles(folder: string): RecordedFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const record = readRecord(join(folder, name));
    if (record === undefined) return [];
    return [{ agent: name.replace(/-[0-9a-f]{16}\.json$/, ''), file: record.file }];
  });
}

export function writeRecord(path: string, record: InstallRecord | FolderRecord): void {
  writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`);
}

export function forgetRecord(path: string): void {
  rmSync(path, { force: true });
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isRecord(value: unknown): value is InstallRecord {
  return (
    isObject(value) &&
    value.version === 2 &&
    typeof value.left === 'string' &&
    (value.undo === null || Array.isArray(value.undo)) &&
    isObject(value.made) &&
    Array.isArray(value.made.containers) &&
    Array.isArray(value.madeFolders)
  );
}

function isFolderRecord(value: unknown): value is FolderRecord {
  return (
    isObject(value) &&
    value.version === 2 &&
    typeof value.folder === 'string' &&
    Array.isArray(value.madeFolders) &&
    value.madeFolders.every((folder) => typeof folder === 'string')
  );
}
