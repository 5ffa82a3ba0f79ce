// Runs before `npm start`, `npm test` and the like. Prepares a fresh or changed checkout; otherwise prints nothing.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, inputsDigest } from './build.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, '.cache', 'setup.lock');
const INSTALL_MINUTES = 10;
const LOCK_MINUTES = 15;

try {
  await setUp();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function setUp() {
  refuseOldNode();
  if (isInstalled() && isBuilt()) return;
  await runAlone(async () => {
    if (!isInstalled()) {
      console.error('Installing dependencies (once) …');
      install();
    }
    if (!isBuilt()) {
      console.error('Building …');
      await build();
    }
  });
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(
    `Cairn needs Node.js 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`,
  );
}

/** npm writes a copy of the lock file for what it has installed, without packages that this machine does not need. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return present[path] ? present[path].version === version : optional === true;
  });
}

function install() {
  const [command, ...args] = npm();
  const { status, error, stdout, stderr } = spawnSync(
    command,
    [...args, 'ci', '--include=dev', '--no-audit', '--no-fund'],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: INSTALL_MINUTES * 60_000,
      maxBuffer: 64 * 1024 * 1024,
      shell: command.endsWith('.cmd'),
    },
  );
  if (status === 0) return;
  throw new Error(
    `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\n` +
      'Installing the dependencies failed; what npm said stands above. Without a network? Connect, or point npm\n' +
      'at a registry you can reach (npm config set registry …), then run the same command again.',
  );
}

/** The npm that called us, else the one next to this Node, else the one on the PATH. */
function npm() {
  const bundled = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  const caller = process.env.npm_execpath;
  if (caller && basename(caller) === 'npm-cli.js') return [process.execPath, caller];
  if (fs.existsSync(bundled)) return [process.execPath, bundled];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

function isBuilt() {
  const mark = join(root, 'dist/.inputs');
  return fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === inputsDigest();
}

/** For two `npm test` at once: the second waits, and then finds everything done. */
async function runAlone(work) {
  const mine = `${lock}-${process.pid}`;
  fs.mkdirSync(dirname(lock), { recursive: true });
  fs.writeFileSync(mine, String(process.pid));
  try {
    await takeLock(mine);
    try {
      await work();
    } finally {
      fs.rmSync(lock, { force: true });
    }
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/** A hard link appears together with its content, so a lock always names its owner. */
async function takeLock(mine) {
  const until = Date.now() + LOCK_MINUTES * 60_000;
  while (Date.now() < until) {
    try {
      fs.linkSync(mine, lock);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(lock)) removeStale(`${mine}-stale`);
    else await wait(200);
  }
  throw new Error(`Another set-up has been running for ${LOCK_MINUTES} minutes. If not, delete ${lock}`);
}

/** Moves the lock away before checking it again. If another process has taken it meanwhile, it is restored. */
function removeStale(aside) {
  try {
    fs.renameSync(lock, aside);
    if (!isStale(aside)) fs.linkSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function isStale(file) {
  try {
    process.kill(Number(fs.readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function readJson(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}
