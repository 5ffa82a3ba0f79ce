import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/** Why the model is not asked at present, for status and for the person at session start. */
export interface ModelTrouble {
  why: string;
  since: number;
}

export function noteModelTrouble(paths: Paths, trouble: ModelTrouble): void {
  writeAtomically(fileOf(paths), JSON.stringify(trouble));
}

export function modelTrouble(paths: Paths): ModelTrouble | null {
  try {
    return JSON.parse(readIfThere(fileOf(paths)) ?? 'null');
  } catch {
    return null;
  }
}

export function clearModelTrouble(paths: Paths): void {
  rmSync(fileOf(paths), { force: true });
}

function fileOf(paths: Paths): string {
  return join(paths.state, 'model-trouble');
}
