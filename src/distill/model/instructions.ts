import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfThere } from '../../platform/files.ts';
import { packageRoot } from '../../platform/installation.ts';

export const DEFAULT_MODE = 'code';

export interface Mode {
  name: string;
  text: string;
  /** Why another mode is used than the configured one. */
  problem?: string;
}

export interface Instructions {
  system: string;
  problems: string[];
}

/** The instructions for the model, from files; a person's own file replaces ours of the same name. */
export function loadInstructions(home: string, wanted: { mode: string; language: string }): Instructions {
  const mode = loadMode(home, wanted.mode);
  const system = readOurs('system.md')
    .replace('{{mode}}', () => mode.text.trim())
    .replace('{{language}}', () => languageRule(home, wanted.language));
  return { system, problems: mode.problem === undefined ? [] : [mode.problem] };
}

export function loadMode(home: string, name: string): Mode {
  const text = readByName(join(home, 'modes'), name) ?? readByName(readOwnFile('modes'), name);
  if (text !== null) return { name, text };
  const problem = `Unknown mode: ${name}. Add it as ${join(home, 'modes', '<name>.md')}. Modes: ${listModes(home).join(', ')}.`;
  return { name: DEFAULT_MODE, text: readOurs(join('modes', `${DEFAULT_MODE}.md`)), problem };
}

export function listModes(home: string): string[] {
  const folders = [readOwnFile('modes'), join(home, 'modes')].filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) => readdirSync(folder)).filter((file) => file.endsWith('.md'));
  return [...new Set(files.map((file) => basename(file, '.md')))].sort();
}

/** A file of the person, or the name of a language. */
function languageRule(home: string, language: string): string {
  if (language === '')
    return "Write in the language of the person's request; leave names and code as they are.";
  const own = readByName(join(home, 'languages'), language);
  return own?.trim() ?? `Write all texts in ${language}; leave names and code as they are.`;
}

function readByName(folder: string, name: string): string | null {
  // A plain name, never a path.
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? readIfThere(join(folder, `${name}.md`)) : null;
}

function readOurs(file: string): string {
  const text = readIfThere(readOwnFile(file));
  if (text === null) throw new Error(`Cairn's installation is damaged: ${readOwnFile(file)} is missing.`);
  return text;
}

/** In a checkout the source, so that a changed prompt applies at once; else the built copy. */
function readOwnFile(file: string): string {
  const source = join(packageRoot(), 'src', 'distill', 'prompts');
  const built = join(packageRoot(), 'dist', 'assets', 'distill', 'prompts');
  return join(existsSync(source) ? source : built, file);
}
