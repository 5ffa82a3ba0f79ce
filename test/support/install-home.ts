import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createInstallCommand } from '../../src/commands/install.ts';
import type { Call, Command } from '../../src/commands/support/command.ts';
import { createPaint } from '../../src/commands/support/paint.ts';
import { createUninstallCommand } from '../../src/commands/uninstall.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { pathsOf } from '../../src/platform/paths.ts';

export const SETTINGS = '{\n  "theme":  "dark",\n  "model": "opus"\n}\n';

/** The home of a person who has Claude Code and their own settings. */
export let root: string;
export let home: string;
export let file: string;
export let config: string;
export let commands: string;

/** Creates a new home for each test of a file. */
export function useHome(): void {
  let before: string;

  beforeEach(() => {
    before = process.cwd();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-install-')));
    home = join(root, 'user/.cairn');
    file = join(root, 'user/.claude/settings.json');
    config = join(root, 'user/.claude.json');
    commands = join(root, 'user/.claude/commands/cairn');
    mkdirSync(join(root, 'user/.claude'), { recursive: true });
    writeFileSync(file, SETTINGS);
  });

  afterEach(() => {
    process.chdir(before);
    rmSync(root, { recursive: true, force: true });
  });
}

/** Moves the memory to an unusual place. */
export function moveMemory(): void {
  home = join(root, 'memory');
}

/** For tests of other things, which must not depend on whether this machine has a model. */
export async function noModel(): Promise<null> {
  return null;
}

export function install(): Command {
  return createInstallCommand(() => Promise.reject(new Error('asked without a terminal')), noModel);
}

export function uninstall(): Command {
  return createUninstallCommand(() => Promise.reject(new Error('asked without a terminal')));
}

export async function run(
  command: Command,
  positionals: string[],
  options: Call['options'] = {},
  isTerminal = false,
  variables: NodeJS.ProcessEnv = {},
  columns?: number,
): Promise<{ code: number; out: string[]; err: string[] }> {
  const env = readEnvironment({ HOME: join(root, 'user'), PATH: process.env.PATH, ...variables });
  const paths = pathsOf(home);
  const out: string[] = [];
  const err: string[] = [];
  const code = await command.run({
    positionals,
    options,
    env,
    home,
    paths,
    settings: loadSettings(paths.config, env).settings,
    isTerminal,
    columns,
    paint: createPaint(false),
    now: () => 0,
    out: (text) => out.push(text),
    outFramed: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out, err };
}

export function hooksIn(path: string): Record<string, { hooks: { command: string }[] }[]> {
  return JSON.parse(readFileSync(path, 'utf8').replace('// mine', '')).hooks;
}
