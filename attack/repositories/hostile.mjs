import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { addSignedCommit, fillWithTraps, moveGitFolder, withAttributes, withConfig } from './build.mjs';

/**
 * Repositories with a program that a careless call of git would run. Each value creates one: (sandbox, name) → its
 * folder.
 */
export const HOSTILE_REPOSITORIES = {
  fsmonitor: withConfig((trap) => `[core]\n\tfsmonitor = ${trap}\n`),
  'hooks path': withConfig(
    (trap, folder) => `[core]\n\thooksPath = ${fillWithTraps(join(folder, 'more-hooks'), trap)}\n`,
  ),
  hooks: withConfig((trap, folder) => {
    fillWithTraps(join(folder, '.git/hooks'), trap);
    return '';
  }),
  pager: withConfig(
    (trap) => `[core]\n\tpager = ${trap}\n[pager]\n\tlog = ${trap}\n\tdiff = ${trap}\n\tstatus = ${trap}\n`,
  ),
  'external diff': withConfig((trap) => `[diff]\n\texternal = ${trap}\n`),
  'diff command': withAttributes('* diff=trap\n', (trap) => `[diff "trap"]\n\tcommand = ${trap}\n`),
  textconv: withAttributes(
    '* diff=trap\n',
    (trap) => `[diff "trap"]\n\ttextconv = ${trap}\n\tcachetextconv = true\n`,
  ),
  'clean filter': withAttributes(
    '* filter=trap\n',
    (trap) => `[filter "trap"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n\trequired = true\n`,
  ),
  'filter process': withAttributes('* filter=trap\n', (trap) => `[filter "trap"]\n\tprocess = ${trap}\n`),
  'merge driver': withAttributes('* merge=trap\n', (trap) => `[merge "trap"]\n\tdriver = ${trap}\n`),
  aliases: withConfig((trap) =>
    ['status', 'log', 'diff', 'rev-parse', 'ls-files', 'st', 'show'].reduce(
      (text, name) => `${text}\t${name} = !${trap}\n`,
      '[alias]\n',
    ),
  ),
  'gpg program': withConfig((trap, folder, git) => {
    addSignedCommit(folder, git);
    return `[gpg]\n\tprogram = ${trap}\n[log]\n\tshowSignature = true\n[gpg "ssh"]\n\tprogram = ${trap}\n\tdefaultKeyCommand = ${trap}\n[commit]\n\tgpgSign = true\n`;
  }),
  credential: withConfig(
    (trap) =>
      `[credential]\n\thelper = !${trap}\n[core]\n\taskPass = ${trap}\n[remote "origin"]\n\turl = http://127.0.0.1:9/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  ),
  'ssh command': withConfig(
    (trap) =>
      `[core]\n\tsshCommand = ${trap}\n\tgitProxy = ${trap}\n[remote "origin"]\n\turl = ssh://127.0.0.1:9/x.git\n\tuploadpack = ${trap}\n`,
  ),
  'ext remote': withConfig(
    (trap) =>
      `[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::${trap}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[extensions]\n\tpartialClone = origin\n`,
  ),
  include: withConfig((trap, folder) => {
    fs.writeFileSync(
      join(folder, 'more.config'),
      `[core]\n\tfsmonitor = ${trap}\n\tpager = ${trap}\n[diff]\n\texternal = ${trap}\n`,
    );
    return `[include]\n\tpath = ../more.config\n[includeIf "gitdir:${folder}/"]\n\tpath = ../more.config\n`;
  }),
  editor: withConfig(
    (trap) =>
      `[core]\n\teditor = ${trap}\n[sequence]\n\teditor = ${trap}\n[interactive]\n\tdiffFilter = ${trap}\n`,
  ),
  alternates: withConfig(
    (trap) => `[core]\n\talternateRefsCommand = ${trap}\n[uploadpack]\n\tpackObjectsHook = ${trap}\n`,
  ),
  trailers: withConfig(
    (trap) => `[trailer "x"]\n\tcommand = ${trap}\n\tcmd = ${trap}\n[log]\n\tmailmap = true\n`,
  ),
  submodule: withConfig((trap, folder, git) => {
    const inner = join(folder, 'inner');
    fs.mkdirSync(inner);
    git(['init', '-q'], inner);
    git(['commit', '-q', '--allow-empty', '-m', 'inner'], inner);
    git(['add', 'inner']);
    git(['commit', '-q', '-m', 'with a submodule']);
    fs.appendFileSync(join(inner, '.git/config'), `[core]\n\tfsmonitor = ${trap}\n`);
    return `[submodule "inner"]\n\tpath = inner\n\tupdate = !${trap}\n`;
  }),
  'worktree config': withConfig((trap, folder) => {
    fs.writeFileSync(
      join(folder, '.git/config.worktree'),
      `[core]\n\tfsmonitor = ${trap}\n[diff]\n\texternal = ${trap}\n`,
    );
    return '[extensions]\n\tworktreeConfig = true\n';
  }),
  'git file': moveGitFolder((trap) => `[core]\n\tfsmonitor = ${trap}\n[diff]\n\texternal = ${trap}\n`),
  'bare inside': withConfig((trap, folder) => {
    const bare = join(folder, 'src');
    for (const part of ['objects', 'refs']) fs.mkdirSync(join(bare, part), { recursive: true });
    fs.writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/main\n');
    fs.writeFileSync(
      join(bare, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${folder}\n\tfsmonitor = ${trap}\n`,
    );
    return '';
  }),
  'programs in the folder': withConfig((trap, folder) => {
    fillWithTraps(folder, trap, [
      'git',
      'node',
      'sh',
      'cat',
      'setsid',
      'date',
      'mkdir',
      'rm',
      'git-status',
      'npm',
      'claude',
    ]);
    return '';
  }),
  'node modules': withConfig((trap, folder) => {
    const code = `require('node:child_process').execFileSync(${JSON.stringify(trap)});`;
    for (const path of [
      'node_modules/@photostructure/sqlite/index.js',
      'node_modules/jsonc-parser/index.js',
      'index.js',
      '.claude/settings.js',
    ]) {
      fs.mkdirSync(join(folder, path, '..'), { recursive: true });
      fs.writeFileSync(join(folder, path), code);
    }
    fs.writeFileSync(join(folder, 'package.json'), '{"name":"x","main":"index.js","type":"commonjs"}');
    fs.writeFileSync(join(folder, '.env'), 'NODE_OPTIONS=--require ./index.js\n');
    return '';
  }),
};

/** Whether the trap works at all, checked with plain git after the attack. */
export function isArmed({ canary, env }, folder) {
  const tries = [
    ['status'],
    ['diff', 'HEAD'],
    ['log', '-p', '-2'],
    ['st'],
    ['ls-remote', 'origin'],
    ['commit', '-qam', 'x'],
  ];
  for (const args of tries)
    try {
      const options = ['-c', 'user.name=R', '-c', 'user.email=r@example.invalid'];
      execFileSync('git', [...options, ...args], {
        cwd: folder,
        env: { ...env, GIT_TERMINAL_PROMPT: '0' },
        stdio: 'pipe',
        timeout: 10_000,
      });
    } catch {
      // A trap may make git fail.
    }
  const isArmedNow = fs.readdirSync(canary).length > 0;
  for (const name of fs.readdirSync(canary)) fs.rmSync(join(canary, name));
  return isArmedNow;
}
