import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installedHome, makeProject, workFolder } from './home.mjs';
import { emptyNode, interleave, timeCall } from './measure.mjs';
import { PARTS } from './parts.mjs';
import { besideNode, whole } from './table.mjs';

const MOST_TIMES_NODE = 2;
const MOST_MS = 300;
const MEMORIES = 100_000;
const PROJECTS = 10;
const FILES = 50_000;

/** The programs that Claude Code runs whenever it draws its status line, and at every letter typed after @. */
export async function measure({ runs, say }) {
  const work = workFolder();
  const cairn = installedHome(work);
  const cli = fileURLToPath(new URL('../dist/cli.mjs', import.meta.url));
  const install = [cli, 'install', 'claude-code', '--yes', '--statusline', '--suggest-files'];
  execFileSync(process.execPath, install, { env: cairn.env, stdio: 'pipe' });
  const { statusLine, fileSuggestion } = JSON.parse(
    fs.readFileSync(join(cairn.env.HOME, '.claude/settings.json'), 'utf8'),
  );
  const projects = Array.from({ length: PROJECTS }, (_, number) => `${work}/project-${number}`);
  for (const project of projects.slice(1)) makeProject(project);
  say(`  a repository with ${whole(FILES)} files, and ${whole(MEMORIES)} memories …`);
  makeRepository(projects[0]);
  const fill = fileURLToPath(new URL('fill-memories.mjs', import.meta.url));
  execFileSync(process.execPath, [fill, cairn.home, String(MEMORIES), ...projects], { stdio: 'pipe' });

  const call = (command, input, env = {}) => ({
    program: '/bin/sh',
    args: ['-c', command],
    env: { ...cairn.env, COLUMNS: '120', ...env },
    cwd: projects[0],
    input: JSON.stringify({ session_id: randomUUID(), cwd: projects[0], ...input }),
  });
  const line = (command) => () =>
    call(command, {
      model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
      context_window: { context_window_size: 200_000, current_usage: { input_tokens: 90_000 } },
    });
  const suggest = (query) => () => call(fileSuggestion.command, { query });
  const lists = join(cairn.home, 'state/files');
  const forgetLists = async () => {
    while (fs.readdirSync(lists).some((name) => name.endsWith('.underway'))) await wait(20);
    for (const name of fs.readdirSync(lists)) fs.rmSync(join(lists, name));
  };
  const shared = statusLine.command.replace('; exit 0', ' "$t"; eval "$t"');
  const series = [
    { name: 'status line', call: line(statusLine.command), says: /Opus 5\.5.+55% left.+cairn 10,000/ },
    {
      name: 'status line, with another one',
      call: line(`t='echo theirs'; ${shared}`),
      says: /^theirs\n.+cairn/,
    },
    { name: 'files after @, nothing typed', call: suggest(''), says: /^(?:.+\n){20}$/ },
    { name: 'files after @, a letter', call: suggest('p'), says: /^(?:.+\n){20}$/ },
    { name: 'files after @, a word', call: suggest('route'), says: /^(?:.+\n){20}$/ },
    {
      name: 'files after @, for the first time',
      call: suggest('route'),
      before: forgetLists,
      says: /^/,
      asksGit: true,
    },
  ];
  // The first call starts git, which may answer too late for it.
  await timeCall(suggest('')());
  await wait(3_000);
  const rows = [];
  for (const { name, says, asksGit, ...subject } of series) {
    const after = (result) => checkAnswer(name, says, result);
    const measured = await interleave([emptyNode(cairn.env), { name, ...subject, after }], {
      runs: Math.min(runs, 100),
      say,
      title: name,
    });
    const isMet = ({ timesNode, p99 }) => p99 <= MOST_MS && (asksGit || timesNode <= MOST_TIMES_NODE);
    rows.push(besideNode(name, measured[name], measured['node -e 0'], isMet));
  }
  return {
    title: `Status line and file suggestions, ${whole(MEMORIES)} memories, a repository of ${whole(FILES)} files`,
    columns: ['', 'median', 'p95', 'p99', 'node -e 0', '× node -e 0', 'runs', 'target'],
    rows,
    notes: [
      `Target: at most ${MOST_TIMES_NODE} × node -e 0, except where git is asked first, and ${MOST_MS} ms (p99).`,
    ],
  };
}

function makeRepository(folder) {
  for (let number = 0; number < FILES; number++) {
    const file = join(folder, 'src', PARTS[number % PARTS.length], String(number % 97), `part-${number}.ts`);
    if (number < 970) fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, '');
  }
  const as = ['-c', 'user.name=r', '-c', 'user.email=r@example.invalid', '-C', folder];
  for (const command of ['init -q', 'add -A', 'commit -qm start'])
    execFileSync('git', [...as, ...command.split(' ')], { stdio: 'pipe' });
}

function checkAnswer(name, says, { exitCode, stdout, stderr }) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  const plain = stdout.replace(/\u001b\[\d+m/g, '');
  if (exitCode !== 0 || stderr !== '' || !says.test(plain))
    throw new Error(`${name}: ${JSON.stringify({ exitCode, plain, stderr })}`);
}
