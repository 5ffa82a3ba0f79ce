import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../bench/payloads.mjs';
import { listOutside, reportCanaries, reportNewFiles } from '../canary.mjs';
import { checkCommand, checkHook } from '../checks.mjs';
import { hostileTexts } from '../hostile-text.mjs';
import { inParallel } from '../process.mjs';
import { callHook, drain, runCairn, runWorker } from '../sandbox.mjs';

const AT_ONCE = 4;

/** Hostile ids, paths, folders and branch names: no file may appear outside the home, nothing may be executed. */
export async function attack({ tally, random, deadline, events, openSandbox }) {
  const sandbox = openSandbox('ids');
  const outside = join(sandbox.root, 'outside');
  fs.mkdirSync(outside);
  createBranches(sandbox);
  const texts = hostileTexts({ canary: sandbox.canary, outside });
  const before = listOutside(sandbox);
  const calls = texts.flatMap((text) => hostileCalls(text));
  const isChosen = () => events >= 1_000 || random.chance(events / 1_000);
  const chosen = calls.filter(isChosen);

  await inParallel(AT_ONCE, chosen, deadline, async ({ field, event, payload, extraEnv, session }) => {
    tally.count('tried');
    const whole = { cwd: sandbox.project, ...payload };
    const result = await callHook(sandbox, event, whole, { session, extraEnv });
    if (checkHook(tally, `${event} with a hostile ${field}`, result)) tally.count('accepted');
  });
  reportCanaries(tally, sandbox.canary, 'hooks');
  if (!(await runWorker(sandbox))) tally.fail('hung', 'the worker did not finish');
  reportCanaries(tally, sandbox.canary, 'worker');

  await askAboutFiles({ tally, sandbox, texts: texts.filter(isChosen), deadline });
  for (const branch of fs.readdirSync(join(sandbox.project, '.git/refs/heads')).slice(0, 10))
    await useBranch({ tally, sandbox, branch });
  for (const args of [
    ['status'],
    ['sessions'],
    ['recent'],
    ['context'],
    ['notes', '--dry-run'],
    ['work', 'list', '--all'],
  ])
    checkCommand(tally, args.join(' '), await runCairn(sandbox, args));
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested');
  reportCanaries(tally, sandbox.canary, 'commands');
  reportNewFiles(tally, sandbox, before, 'after all');
}

/** One call for each payload field and environment variable that contains an id or a path. */
function hostileCalls(text) {
  const bash = recorded('PostToolUse.Bash');
  const edit = recorded('PostToolUse.Edit');
  const read = recorded('PreToolUse.Read');
  const start = recorded('SessionStart.startup');
  const inEnvironment = text.replaceAll('\u0000', '');
  const payloads = {
    session_id: { ...start, session_id: text },
    'session_id of a prompt': { ...recorded('UserPromptSubmit'), session_id: text },
    'session_id of an end': { ...recorded('SessionEnd.other'), session_id: text },
    agent_id: { ...bash, agent_id: text, agent_type: text },
    tool_use_id: { ...bash, tool_use_id: text },
    tool_name: { ...bash, tool_name: text, tool_use_id: `name ${text}` },
    prompt_id: { ...recorded('UserPromptSubmit'), prompt_id: text },
    transcript_path: { ...recorded('Stop'), transcript_path: text },
    cwd: { ...start, cwd: text },
    model: { ...start, model: text, source: text },
    file_path: {
      ...edit,
      tool_use_id: `edit ${text}`,
      tool_input: { ...edit.tool_input, file_path: text },
      tool_response: { ...edit.tool_response, filePath: text },
    },
    'file_path to read': { ...read, tool_use_id: `read ${text}`, tool_input: { file_path: text } },
  };
  const calls = Object.entries(payloads).map(([field, payload]) => ({
    field,
    event: payload.hook_event_name,
    payload,
    session: field.startsWith('session_id') ? inEnvironment : 'attack-ids',
  }));
  for (const variable of ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID'])
    for (const payload of [bash, start])
      calls.push({
        field: variable,
        event: payload.hook_event_name,
        payload: { ...payload, ...(payload.tool_use_id && { tool_use_id: `${variable} ${text}` }) },
        extraEnv: { [variable]: inEnvironment },
      });
  return calls;
}

/** Known files become a list that the hook's shell sources, so each hostile path is first made known and then read. */
async function askAboutFiles({ tally, sandbox, texts, deadline }) {
  const paths = texts.filter((text) => text !== '' && !text.includes('\u0000') && text.length < 4_000);
  for (const path of paths.filter((_, number) => number < 30))
    checkCommand(
      tally,
      `remember --file ${path}`,
      await runCairn(sandbox, ['remember', '--file', path, `A note about the file ${path}`]),
      { mayFail: true },
    );
  const start = { ...recorded('SessionStart.startup'), cwd: sandbox.project };
  // The first session in a home only gets a welcome message.
  for (const session of ['attack-first', 'attack-known']) {
    const result = await callHook(sandbox, 'SessionStart', { ...start, session_id: session }, { session });
    checkHook(tally, 'SessionStart', result);
  }
  const list = join(sandbox.home, 'state/known-files/attack-known');
  tally.note(
    `known files in the shell's list: ${fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('|').length : 0}`,
  );
  await inParallel(AT_ONCE, paths, deadline, async (path) => {
    for (const file_path of [path, join(sandbox.project, path)]) {
      tally.count('tried');
      const read = recorded('PreToolUse.Read');
      const payload = { ...start, ...read, session_id: 'attack-known', tool_input: { file_path } };
      const result = await callHook(sandbox, 'PreToolUse', payload, { session: 'attack-known' });
      if (checkHook(tally, `PreToolUse of ${file_path}`, result)) tally.count('accepted');
      if (Date.now() > deadline) return;
    }
    checkCommand(tally, `file ${path}`, await runCairn(sandbox, ['file', '--', path]), { mayFail: true });
  });
  reportCanaries(tally, sandbox.canary, 'known files');
}

/** Git rejects most hostile branch names, but HEAD may contain anything. */
function createBranches({ project, canary, env }) {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=R', '-c', 'user.email=r@example.invalid', ...args], {
      cwd: project,
      env,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  const commit = fs.readFileSync(join(project, '.git/refs/heads/main'));
  const names = [
    `$(touch\${IFS}x)`,
    '-rf',
    ';touch x;',
    '`id`',
    "'quote",
    '"double',
    '--help',
    '\u001b[31mred',
    'ünï',
  ];
  for (const name of names) fs.writeFileSync(join(project, '.git/refs/heads', name), commit);
  fs.writeFileSync(join(project, '.git/refs/heads', `$(touch ${canary.replaceAll('/', '\\')})`), commit);
}

async function useBranch({ tally, sandbox, branch }) {
  fs.writeFileSync(join(sandbox.project, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
  for (const name of ['SessionStart.startup', 'UserPromptSubmit', 'PostToolUse.Edit', 'Stop']) {
    tally.count('tried');
    const payload = {
      ...recorded(name),
      session_id: `branch-${branch}`,
      cwd: sandbox.project,
      tool_use_id: `branch ${branch}`,
    };
    const result = await callHook(sandbox, payload.hook_event_name, payload);
    if (checkHook(tally, `${name} on branch ${branch}`, result)) tally.count('accepted');
  }
  checkCommand(tally, `context on branch ${branch}`, await runCairn(sandbox, ['context']));
}
