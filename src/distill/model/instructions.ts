import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfThere } from '../../platform/files.ts';
import { packageRoot } from '../../platform/installation.ts';

export const DEFAULT_MODE = 'code';

export interface Mode {
  name: string;
  /** What to look for. */
  text: string;
  /** Why it is not the mode that was asked for. */
  problem?: string;
}

export interface Instructions {
  /** The system prompt of every question. */
  system: string;
  problems: string[];
}

/** What the model is told to do. Its parts are files; a person's own file goes before ours of the same name. */
export function loadInstructions(home: string, wanted: { mode: string; language: string }): Instructions {
  const mode = loadMode(home, wanted.mode);
  const system = readOurs('system.md')
    .replace('{{mode}}', () => mode.text.trim())
    .replace('{{language}}', () => languageRule(home, wanted.language));
  return { system, problems: mode.problem === undefined ? [] : [mode.problem] };
}

export function loadMode(home: string, name: string): Mode {
  const text = readByName(join(home, 'modes'), name) ?? readByName(ours('modes'), name);
  if (text !== null) return { name, text };
  const problem = `There is no mode ${name}: ${join(home, 'modes', '<name>.md')} would hold it. There are: ${listModes(home).join(', ')}.`;
  return { name: DEFAULT_MODE, text: readOurs(join('modes', `${DEFAULT_MODE}.md`)), problem };
}

export function listModes(home: string): string[] {
  const folders = [ours('modes'), join(home, 'modes')].filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) => readdirSync(folder)).filter((file) => file.endsWith('.md'));
  return [...new Set(files.map((file) => basename(file, '.md')))].sort();
}

/** A file of the person's, or simply the name of a language. */
function languageRule(home: string, language: string): string {
  if (language === '')
    return "Write in the language of the person's request; leave names and code as they are.";
  const own = readByName(join(home, 'languages'), language);
  return own?.trim() ?? `Write all texts in ${language}; leave names and code as they are.`;
}

function readByName(folder: string, name: string): string | null {
  // A name, never a path that leads elsewhere.
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? readIfThere(join(folder, `${name}.md`)) : null;
}

function readOurs(file: string): string {
  const text = readIfThere(ours(file));
  if (text === null) throw new Error(`Cairn's installation is damaged: ${ours(file)} is missing.`);
  return text;
}

/** In a checkout the source itself, so that a changed prompt counts at once; else what was built from it. */
function ours(file: string): string {
  const source = join(packageRoot(), 'src', 'distill', 'prompts');
  const built = join(packageRoot(), 'dist', 'assets', 'distill', 'prompts');
  return join(existsSync(source) ? source : built, file);
}
