import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

export function withConfig(createConfig) {
  return withAttributes('', createConfig);
}

/** Creates a checkout with history, a changed and an untracked file, then adds the hostile settings. */
export function withAttributes(attributes, createConfig) {
  return ({ root, canary, env }, name) => {
    const folder = join(root, 'repositories', name.replaceAll(' ', '-'));
    fs.mkdirSync(join(folder, 'src'), { recursive: true });
    const git = (args, cwd = folder) =>
      execFileSync('git', ['-c', 'user.name=R', '-c', 'user.email=r@example.invalid', ...args], {
        cwd,
        env,
        stdio: 'pipe',
      });
    git(['init', '-q', '-b', 'main']);
    fs.writeFileSync(join(folder, 'src/a.txt'), 'one\n');
    if (attributes) fs.writeFileSync(join(folder, '.gitattributes'), attributes);
    git(['add', '-A']);
    git(['commit', '-q', '-m', 'start']);
    const config = createConfig(writeTrap(root, canary, name), folder, git);
    fs.writeFileSync(join(folder, 'src/a.txt'), 'two\n');
    fs.writeFileSync(join(folder, 'untracked.txt'), 'new\n');
    fs.appendFileSync(join(folder, '.git/config'), config);
    return folder;
  };
}

export function moveGitFolder(createConfig) {
  const make = withConfig(createConfig);
  return (sandbox, name) => {
    const folder = make(sandbox, name);
    fs.renameSync(join(folder, '.git'), join(folder, 'data'));
    fs.writeFileSync(join(folder, '.git'), 'gitdir: data\n');
    return folder;
  };
}

/** Writes a program that creates a file with the trick's name and copies its input, as a filter would. */
function writeTrap(root, canary, name) {
  const trap = join(root, 'traps', name.replaceAll(' ', '-'));
  fs.mkdirSync(join(root, 'traps'), { recursive: true });
  fs.writeFileSync(trap, `#!/bin/sh\n: >'${canary}/${name}'\nexit 0\n`, { mode: 0o755 });
  return trap;
}

const HOOKS = [
  'post-index-change',
  'fsmonitor-watchman',
  'post-checkout',
  'pre-commit',
  'post-commit',
  'reference-transaction',
  'pre-auto-gc',
];

export function fillWithTraps(folder, trap, names = HOOKS) {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of names) fs.copyFileSync(trap, join(folder, name));
  return folder;
}

/** Only the format of the signature matters: git runs the program to verify it. */
export function addSignedCommit(folder, git) {
  const tree = String(git(['rev-parse', 'HEAD^{tree}'])).trim();
  const parent = String(git(['rev-parse', 'HEAD'])).trim();
  const who = 'R <r@example.invalid> 1790000000 +0000';
  const signature =
    '-----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n =abcd\n -----END PGP SIGNATURE-----';
  const commit = join(folder, '.git/signed-commit');
  fs.writeFileSync(
    commit,
    `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\ngpgsig ${signature}\n\nsigned\n`,
  );
  const id = String(git(['hash-object', '-t', 'commit', '-w', commit])).trim();
  git(['update-ref', 'refs/heads/main', id]);
}
