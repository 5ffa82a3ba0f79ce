import { basename, dirname } from 'node:path';
import { doesFolderAnswer } from '../folder-answers.ts';
import { quoteForShell } from '../shell.ts';
import { gitFoldersOf } from './checkout.ts';
import { findGitProgram } from './environment.ts';
import { makeOverlay, removeOverlay } from './overlay.ts';
import { isTrusted } from './owner.ts';
import { type GitFolders, readHead } from './references.ts';

/** A checkout with this top, or a repository without any work tree. */
export interface Repository extends GitFolders {
  top?: string;
}

export interface RunLimits {
  timeoutMs: number;
  maxBytes: number;
}

/** If the event loop was blocked, an answer that arrived in time has not been read yet. */
const UNREAD_MS = 50;

/**
 * The overlay keeps the repository's configuration out. These override the person's own, which may set up a monitor or
 * hooks for all repositories: it is trusted, but Cairn has no reason to start them.
 */
const OVERRIDES = [
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null'].flatMap(set),
  ...['log.showSignature=false', 'status.submoduleSummary=false', 'submodule.recurse=false'].flatMap(set),
];

function set(setting: string): string[] {
  return ['-c', setting];
}

/** The checkout with this top; null if there is none, or it belongs to another user. */
export function repositoryAt(top: string): Repository | null {
  const folders = gitFoldersOf(top);
  return folders && { gitDir: folders.gitDir, commonDir: folders.commonDir, top };
}

/** The repository with this common directory, for questions about commits; null like `repositoryAt`. */
export function repositoryIn(commonDir: string): Repository | null {
  if (!doesFolderAnswer(commonDir)) return null;
  const folder = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  if (!isTrusted(folder, [folder, commonDir]) || readHead(commonDir) === null) return null;
  return { gitDir: commonDir, commonDir };
}

interface GitCall {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  overlay: string;
}

/** @throws if git is not installed, or the repository is not one. */
function prepareCall(repository: Repository, args: string[]): GitCall {
  const { top } = repository;
  const git = findGitProgram(top);
  if (!git) throw new Error('git was not found in PATH (ENOENT)');
  const overlay = makeOverlay(repository, { isBare: top === undefined });
  return {
    program: git.path,
    args: [...OVERRIDES, ...args],
    cwd: top ?? overlay,
    env: { ...git.env, GIT_DIR: overlay, ...(top !== undefined && { GIT_WORK_TREE: top }) },
    overlay,
  };
}

/** Git's output, asynchronously; undefined if git fails. If it takes longer than the limit, it is killed. */
export async function runGit(
  repository: Repository,
  args: string[],
  limits: RunLimits,
): Promise<string | undefined> {
  const call = prepareCall(repository, args);
  try {
    return await outputOf(call, limits);
  } finally {
    removeOverlay(call.overlay);
  }
}

function outputOf(
  { program, args, cwd, env }: GitCall,
  { timeoutMs, maxBytes }: RunLimits,
): Promise<string | undefined> {
  // Loaded here: it costs a hook 3 ms, and most hooks start nothing.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const git = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  const output: Buffer[] = [];
  let bytes = 0;

  return new Promise((resolve) => {
    const giveUp = () => {
      git.kill('SIGKILL');
      // If the disk does not answer, even the kill takes effect later; do not wait for it.
      git.stdout.destroy();
      git.unref();
      resolve(undefined);
    };
    // Must come first: if no process could be started, there is no stdout.
    git.on('error', () => resolve(undefined));
    git.stdout.on('data', (chunk: Buffer) => {
      output.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) giveUp();
    });
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, UNREAD_MS);
    }, timeoutMs);
    git.on('close', (code) => resolve(code === 0 ? Buffer.concat(output).toString() : undefined));
    git.on('close', () => clearTimeout(timer));
  });
}

export interface GitResult {
  /** Null if git did not finish. */
  status: number | null;
  stdout: string;
  problem: string;
}

export function runGitSync(
  repository: Repository,
  args: string[],
  { timeoutMs, maxBytes, input = '' }: RunLimits & { input?: string },
): GitResult {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  let overlay: string | undefined;
  try {
    const call = prepareCall(repository, args);
    overlay = call.overlay;
    const { cwd, env } = call;
    const options = { cwd, env, input, encoding: 'utf8', timeout: timeoutMs, maxBuffer: maxBytes } as const;
    const ended = spawnSync(call.program, call.args, {
      ...options,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return {
      status: ended.error ? null : ended.status,
      stdout: ended.stdout ?? '',
      problem: (ended.error?.message ?? ended.stderr).trim(),
    };
  } catch (error) {
    return { status: null, stdout: '', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    if (overlay !== undefined) removeOverlay(overlay);
  }
}

/** A shell command that outlives this process, and the environment to run it in. */
export interface GitLine {
  command: string;
  env: Record<string, string>;
}

/**
 * `line` uses `cairn_git` in place of `git`: the same call as above, ended after the time limit. The command removes
 * its overlay itself, because this process may have ended by then. @throws like the calls above.
 */
export function gitLine(repository: Repository, line: string, { timeoutMs, maxBytes }: RunLimits): GitLine {
  const { program, args, env, overlay } = prepareCall(repository, []);
  const git = [program, ...args].map(quoteForShell).join(' ');
  const watch = `trap 'kill "$s"; exit' TERM; sleep ${Math.ceil(timeoutMs / 1_000)} & s=$!; wait "$s"; kill -9 "$p"`;
  const command = [
    // In units of 512 bytes.
    `ulimit -f ${Math.ceil(maxBytes / 512)} 2>/dev/null || :`,
    `cairn_git() { ${git} "$@" & p=$!; ( ${watch} ) >/dev/null 2>&1 & w=$!; wait "$p"; r=$?; kill "$w"; return "$r"; }`,
    `trap ${quoteForShell(`rm -rf ${quoteForShell(overlay)}`)} EXIT`,
    `trap 'kill -9 "$p"; exit 1' HUP INT TERM`,
    line,
  ].join('\n');
  return { command, env };
}
