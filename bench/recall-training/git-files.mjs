import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

/** Of a clone, bare or not; undefined if there is none. */
export function gitDirOf(folder, name) {
  return [join(folder, name, '.git'), join(folder, name)].find((path) => fs.existsSync(join(path, 'HEAD')));
}

/** What a repository's last commit has at this path. */
export function fileIn(gitDir, path) {
  return git(gitDir, 'show', `HEAD:${path}`);
}

export function filesIn(gitDir, folder) {
  return git(gitDir, 'ls-tree', '--name-only', 'HEAD', `${folder}/`).split('\n').filter(Boolean);
}

function git(gitDir, ...args) {
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
}
