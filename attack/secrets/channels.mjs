import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../bench/payloads.mjs';
import { checkCommand, checkHook } from '../checks.mjs';
import { inParallel } from '../process.mjs';
import { callHook, runCairn } from '../sandbox.mjs';

const AT_ONCE = 4;

/**
 * The ways by which a text gets into Cairn: { name, rate, takes, send }. `rate` is the share of shapes sent this way,
 * lower for a way that starts a program for each text.
 */
export function createChannels({ sandbox, tally, deadline }) {
  const hook = (name, from, change, { rate = 1, takes = () => true } = {}) => ({
    name,
    rate,
    takes,
    send: (items) =>
      inParallel(AT_ONCE, items, deadline, async (item) => {
        const base = recorded(from);
        const payload = {
          ...base,
          session_id: 'attack-secrets',
          cwd: sandbox.project,
          ...change(item, base),
        };
        if (base.tool_use_id) payload.tool_use_id = `toolu_${randomUUID()}`;
        checkHook(
          tally,
          name,
          await callHook(sandbox, payload.hook_event_name, payload, { session: 'attack-secrets' }),
        );
      }),
  });
  const withAll = (name, takeAll, rate = 1) => ({ name, rate, takes: () => true, send: takeAll });
  const isName = (text) => !/[\n/]/.test(text) && text.length < 150;

  return [
    hook('prompt', 'UserPromptSubmit', ({ text, isWhole }) => ({
      prompt: isWhole ? text : `Please note:\n${text}\nand go on.`,
    })),
    hook('tool input', 'PostToolUse.Bash', ({ text }, { tool_input }) => ({
      tool_input: { ...tool_input, command: text },
    })),
    hook('tool response', 'PostToolUse.Bash', ({ text }, { tool_response }) => ({
      tool_response: { ...tool_response, stdout: `$ show\n${text}\ndone\n` },
    })),
    hook('tool error', 'PostToolUseFailure.Bash', ({ text }) => ({ error: `Exit code 1\n${text}` })),
    hook('written file', 'PostToolUse.Write.create', ({ text }, { tool_input, tool_response }) => ({
      tool_input: { ...tool_input, content: `# settings\n${text}\n` },
      tool_response: { ...tool_response, content: `# settings\n${text}\n` },
    })),
    hook(
      'file name',
      'PostToolUse.Edit',
      ({ text }, { tool_input, tool_response }) => {
        const path = join(sandbox.project, text);
        return {
          tool_input: { ...tool_input, file_path: path },
          tool_response: { ...tool_response, filePath: path },
        };
      },
      { rate: 0.5, takes: isName },
    ),
    hook('closing words', 'Stop', ({ text }) => ({
      last_assistant_message: `I found this:\n${text}\nDone.`,
    })),
    hook('MCP arguments', 'PostToolUse.mcp__mem__mem_search', ({ text }) => ({
      tool_input: { query: text, limit: 3 },
    })),
    withAll('remember', (items) => rememberEach({ sandbox, tally, deadline, items }), 0.25),
    withAll('MCP remember', (items) => rememberByMcp({ sandbox, tally, items })),
    withAll('import of an export', (items) => importExport({ sandbox, tally, items })),
    withAll('import of a transcript', (items) => importTranscript({ sandbox, tally, items })),
    withAll('import of MEMORY.md', (items) => importMemoryFile({ sandbox, tally, items })),
  ];
}

function rememberEach({ sandbox, tally, deadline, items }) {
  return inParallel(2, items, deadline, async ({ text }) => {
    const result = await runCairn(sandbox, ['remember', '-'], { input: `Note this down.\n${text}\n` });
    checkCommand(tally, 'remember', result);
  });
}

async function rememberByMcp({ sandbox, tally, items }) {
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'attack', version: '1' },
  };
  const calls = items.map(({ text }) => ({ name: 'remember', arguments: { text: `A note.\n${text}` } }));
  const lines = [['initialize', initialize], ...calls.map((call) => ['tools/call', call])].map(
    ([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  );
  const result = await runCairn(sandbox, ['mcp'], { input: `${lines.join('\n')}\n`, limitMs: 120_000 });
  checkCommand(tally, 'mcp', result);
}

/** Imports an export of Cairn with changed words. */
async function importExport({ sandbox, tally, items }) {
  await runCairn(sandbox, ['remember', 'A sample']);
  const { stdout } = await runCairn(sandbox, ['export', '--all']);
  const [head, ...memories] = stdout.trim().split('\n');
  const sample = JSON.parse(memories.at(-1));
  const lines = items.map(({ text }, number) =>
    JSON.stringify({
      ...sample,
      key: `attack:${number}`,
      title: `Imported ${number}`,
      narrative: text,
      facts: [text],
    }),
  );
  const result = await runCairn(sandbox, ['import', 'cairn', '-'], {
    input: `${[head, ...lines].join('\n')}\n`,
    limitMs: 120_000,
  });
  checkCommand(tally, 'import cairn', result);
}

async function importTranscript({ sandbox, tally, items }) {
  const session = randomUUID();
  const folder = join(sandbox.env.HOME, '.claude/projects', sandbox.project.replaceAll(/\W/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  let parentUuid = null;
  const lines = items.map(({ text }, number) => {
    const uuid = randomUUID();
    const line = {
      ...{
        parentUuid,
        isSidechain: false,
        promptId: randomUUID(),
        type: 'user',
        uuid,
        permissionMode: 'default',
      },
      message: { role: 'user', content: `From the past:\n${text}` },
      timestamp: new Date(Date.now() - 3_600_000 + number * 1_000).toISOString(),
      ...{
        userType: 'external',
        cwd: sandbox.project,
        sessionId: session,
        version: '2.1.325',
        gitBranch: 'main',
      },
    };
    parentUuid = uuid;
    return JSON.stringify(line);
  });
  fs.writeFileSync(join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`);
  checkCommand(
    tally,
    'import claude-code',
    await runCairn(sandbox, ['import', 'claude-code'], { limitMs: 120_000 }),
  );
}

async function importMemoryFile({ sandbox, tally, items }) {
  const folder = join(sandbox.root, 'memory-files');
  fs.mkdirSync(folder);
  const bullets = items.map(({ text }, number) => `- Note ${number}: ${text.replaceAll('\n', '\n  ')}`);
  fs.writeFileSync(join(folder, 'MEMORY.md'), `# Notes\n\n${bullets.join('\n')}\n`);
  const result = await runCairn(sandbox, ['import', 'memory-md', '--dir', folder], { limitMs: 120_000 });
  checkCommand(tally, 'import memory-md', result);
}
