import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import { readIfThere, writeAtomically } from '../../platform/files.ts';
import type { AddedParts } from './edited-settings.ts';
import type { TextEdit } from './json-text.ts';

/** What an installation changed, so that it can be undone exactly. Of the user's text, only what was removed. */
export interface InstallRecord {
  version: 2;
  file: string;
  /** Hash of the resulting text: the undo edits fit only this text. */
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
  try {
    const value: unknown = JSON.parse(readIfThere(path) ?? 'null');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface RecordedFile {
  agent: string;
  file: string;
  madeFolders: string[];
}

/** The files that installations have changed. */
export function listRecordedFiles(folder: string): RecordedFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const record = readRecord(join(folder, name));
    if (record === undefined) return [];
    const { file, madeFolders } = record;
    return [{ agent: name.replace(/-[0-9a-f]{16}\.json$/, ''), file, madeFolders }];
  });
}

export function writeRecord(path: string, record: InstallRecord): void {
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
