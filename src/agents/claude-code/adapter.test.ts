import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { claudeCode } from './adapter.ts';
import { allEvents } from './reply-rules.ts';

const payloads = new URL('./payloads/', import.meta.url);

function recorded(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
}

/** The origin of a recorded event. */
function originOf(wire: JsonObject): object {
  return {
    sessionId: wire.session_id,
    cwd: wire.cwd,
    transcriptPath: wire.transcript_path,
    ...(wire.prompt_id !== undefined && { promptId: wire.prompt_id }),
    ...(wire.permission_mode !== undefined && { permissionMode: wire.permission_mode }),
    ...(wire.agent_id !== undefined && { subagent: { id: wire.agent_id, type: wire.agent_type } }),
  };
}

const project = '/home/user/project';
const plan = '# Plan\n1. do it PLAN-MARK';
const summary = 'FAKE COMPACT SUMMARY: user ran the scripted scenario.';

/** The expected events of each recording, without their origin; an empty list means that Cairn ignores it. */
const meanings: Record<string, object[]> = {
  'events/ConfigChange.user_settings.json': [],
  'events/CwdChanged.json': [],
  'events/DirectoryAdded.json': [],
  'events/Elicitation.json': [],
  'events/FileChanged.add.json': [],
  'events/FileChanged.change.json': [],
  'events/InstructionsLoaded.json': [],
  'events/MessageDisplay.json': [],
  'events/Notification.permission_prompt.json': [],
  'events/PostModelSwitch.json': [],
  'events/PreModelSwitch.json': [],
  'events/SubagentStart.json': [],
  'events/SubagentStop.compaction-agent.json': [],
  'events/TaskCompleted.json': [],
  'events/TaskCreated.json': [],
  'events/UserPromptExpansion.json': [],
  'events/WorktreeCreate.json': [],

  'events/Setup.init.json': [{ kind: 'setup', trigger: 'init' }],
  'events/Setup.maintenance.json': [{ kind: 'setup', trigger: 'maintenance' }],
  'events/SessionStart.clear.json': [{ kind: 'session-start', source: 'clear' }],
  'events/SessionStart.compact.with-model.json': [
    { kind: 'session-start', source: 'compact', model: 'claude-opus-5-5' },
  ],
  'events/SessionStart.fork.json': [{ kind: 'session-start', source: 'fork' }],
  'events/SessionStart.resume.json': [{ kind: 'session-start', source: 'resume' }],
  'events/SessionStart.startup.json': [{ kind: 'session-start', source: 'startup' }],
  'events/SessionStart.startup.with-model.json': [
    { kind: 'session-start', source: 'startup', model: 'claude-opus-5-5' },
  ],
  'events/UserPromptSubmit.json': [{ kind: 'prompt', text: 'plan something', origin: 'person' }],
  'events/UserPromptSubmit.slash-command.json': [{ kind: 'prompt', text: '/init', origin: 'person' }],
  'events/UserPromptSubmit.task-notification.json': [
    {
      kind: 'prompt',
      text: expect.stringMatching(
        /^<task-notification>\n.*<result>sub final 1<\/result>.*<\/task-notification>$/s,
      ),
      origin: 'machine',
    },
  ],
  'events/PreCompact.auto.json': [{ kind: 'compact-start', trigger: 'auto' }],
  'events/PreCompact.manual.json': [
    { kind: 'compact-start', trigger: 'manual', instructions: 'keep the important things' },
  ],
  'events/PostCompact.auto.json': [{ kind: 'compact-end', trigger: 'auto', summary }],
  'events/PostCompact.manual.json': [{ kind: 'compact-end', trigger: 'manual', summary }],
  'events/SubagentStop.json': [
    {
      kind: 'subagent-end',
      text: 'sub final 1',
      transcriptOfSubagent:
        '/home/user/.claude/projects/-home-user-project/b59906b3-98ca-41a2-a892-3158dd8f1fa6/subagents/agent-acb43ec406f91e02d.jsonl',
    },
  ],
  'events/Stop.json': [{ kind: 'turn-end', text: 'first turn final', continued: false }],
  'events/Stop.with-background-task.json': [{ kind: 'turn-end', text: 'first turn final', continued: false }],
  'events/StopFailure.json': [
    {
      kind: 'turn-end',
      text: 'API Error: Request rejected (429) · FAKE429',
      error: 'rate_limit',
      continued: false,
    },
  ],
  'events/SessionEnd.clear.json': [{ kind: 'session-end', reason: 'clear' }],
  'events/SessionEnd.other.json': [{ kind: 'session-end', reason: 'other' }],
  'events/SessionEnd.prompt_input_exit.json': [{ kind: 'session-end', reason: 'prompt_input_exit' }],

  'events/PermissionRequest.AskUserQuestion.json': [
    {
      kind: 'permission-request',
      call: {
        name: 'AskUserQuestion',
        does: 'meta',
        input: {
          questions: [
            {
              question: 'Which color?',
              header: 'Color',
              options: [
                { label: 'Red', description: 'r' },
                { label: 'Blue', description: 'b' },
              ],
              multiSelect: false,
            },
          ],
        },
        files: [],
      },
    },
  ],
  'events/PermissionRequest.ExitPlanMode.json': [
    { kind: 'permission-request', call: { name: 'ExitPlanMode', does: 'meta', input: {}, files: [] } },
  ],
  'events/PermissionRequest.Write.json': [
    {
      kind: 'permission-request',
      call: {
        name: 'Write',
        does: 'change',
        input: { file_path: `${project}/perm.txt`, content: 'needs permission' },
        files: [{ path: `${project}/perm.txt`, how: 'write' }],
      },
    },
  ],
  'tools/PermissionRequest.ExitPlanMode.with-plan.json': [
    {
      kind: 'permission-request',
      call: {
        name: 'ExitPlanMode',
        does: 'meta',
        input: { plan, planFilePath: '/home/user/.claude/plans/cryptic-gathering-spark.md' },
        files: [],
      },
    },
  ],

  'events/PostToolBatch.parallel.json': [
    listed('toolu_fake000008', 'Bash', 'command', { command: 'echo p1', description: 'par 1' }, 'p1'),
    listed('toolu_fake000009', 'Bash', 'command', { command: 'echo p2', description: 'par 2' }, 'p2'),
  ],
  'events/PostToolBatch.single.in-subagent.json': [
    listed('toolu_fake000004', 'Bash', 'command', { command: 'echo insub', description: 'd' }, 'insub'),
  ],
  'events/PostToolBatch.single.json': [
    listed(
      'toolu_fake000001',
      'AskUserQuestion',
      'meta',
      {
        questions: [
          {
            question: 'Which color?',
            header: 'Color',
            multiSelect: false,
            options: [
              { label: 'Red', description: 'r' },
              { label: 'Blue', description: 'b' },
            ],
          },
        ],
      },
      'Your questions have been answered: "Which color?"="Red". You can now continue with these answers in mind.',
    ),
  ],
  'events/PostToolBatch.rejected-call.json': [
    {
      ...listed(
        'toolu_fake000006',
        'Grep',
        'search',
        { pattern: 'export', path: project, output_mode: 'content' },
        '<tool_use_error>Error: No such tool available: Grep. Grep is not available in this session — search file contents with `grep` via the Bash tool instead.</tool_use_error>',
      ),
      outcome: 'refused',
    },
    {
      ...listed(
        'toolu_fake000007',
        'Glob',
        'search',
        { pattern: '**/*.ts' },
        '<tool_use_error>Error: No such tool available: Glob. Glob is not available in this session — find files with `find` via the Bash tool instead.</tool_use_error>',
      ),
      outcome: 'refused',
    },
  ],
};

function listed(id: string, name: string, does: ToolAction, input: JsonObject, response: Json): object {
  const command = does === 'command' ? { command: input.command } : {};
  const call = { id, name, does, input, ...command, files: [] };
  return { kind: 'tool-end', call, outcome: 'success', response, reportedBy: 'batch' };
}

interface CallMeaning {
  id: string;
  name: string;
  does: ToolAction;
  command?: string;
  files?: FileTouch[];
  durationMs?: number;
}

const wrote = (path: string): FileTouch[] => [{ path: `${project}/${path}`, how: 'write' }];
const hadRead = (path: string): FileTouch[] => [{ path: `${project}/${path}`, how: 'read' }];
const bigOutput = 'node -e \'process.stdout.write("HEADX"+"z".repeat(200000)+"TAILX")\'';
const bigFailure = 'node -e \'process.stdout.write("HEADX"+"z".repeat(200000)+"TAILX");process.exit(3)\'';

/** Recordings of single calls: input and response must be the same as in the file. */
const calls: Record<string, CallMeaning> = {
  'PreToolUse.Agent': { id: 'toolu_fake000019', name: 'Agent', does: 'delegate' },
  'PreToolUse.AskUserQuestion': { id: 'toolu_fake000001', name: 'AskUserQuestion', does: 'meta' },
  'PreToolUse.Bash.in-subagent': {
    id: 'toolu_fake000020',
    name: 'Bash',
    does: 'command',
    command: 'echo from-subagent',
  },
  'PreToolUse.Bash': {
    id: 'toolu_fake000001',
    name: 'Bash',
    does: 'command',
    command: 'echo hello-from-bash; echo to-stderr >&2',
  },
  'PreToolUse.Edit': { id: 'toolu_fake000004', name: 'Edit', does: 'change', files: wrote('src/new.ts') },
  'PreToolUse.EnterPlanMode': { id: 'toolu_fake000002', name: 'EnterPlanMode', does: 'meta' },
  'PreToolUse.EnterWorktree': { id: 'toolu_fake000001', name: 'EnterWorktree', does: 'other' },
  'PreToolUse.ExitPlanMode.with-plan': { id: 'toolu_fake000003', name: 'ExitPlanMode', does: 'meta' },
  'PreToolUse.ExitWorktree': { id: 'toolu_fake000003', name: 'ExitWorktree', does: 'other' },
  'PreToolUse.Glob': { id: 'toolu_fake000002', name: 'Glob', does: 'search' },
  'PreToolUse.Grep': { id: 'toolu_fake000001', name: 'Grep', does: 'search' },
  'PreToolUse.Read': { id: 'toolu_fake000003', name: 'Read', does: 'read', files: hadRead('src/new.ts') },
  'PreToolUse.TaskCreate': { id: 'toolu_fake000012', name: 'TaskCreate', does: 'meta' },
  'PreToolUse.TaskUpdate': { id: 'toolu_fake000013', name: 'TaskUpdate', does: 'meta' },
  'PreToolUse.TodoWrite': { id: 'toolu_fake000001', name: 'TodoWrite', does: 'meta' },
  'PreToolUse.ToolSearch': { id: 'toolu_fake000016', name: 'ToolSearch', does: 'meta' },
  'PreToolUse.WebFetch': { id: 'toolu_fake000018', name: 'WebFetch', does: 'web' },
  'PreToolUse.Write.in-subagent': {
    id: 'toolu_fake000021',
    name: 'Write',
    does: 'change',
    files: wrote('sub.txt'),
  },
  'PreToolUse.Write': { id: 'toolu_fake000002', name: 'Write', does: 'change', files: wrote('src/new.ts') },
  'PreToolUse.mcp__mem__mem_fail': { id: 'toolu_fake000003', name: 'mcp__mem__mem_fail', does: 'other' },
  'PreToolUse.mcp__mem__mem_search': { id: 'toolu_fake000002', name: 'mcp__mem__mem_search', does: 'other' },
  'PostToolUse.Agent.background': {
    id: 'toolu_fake000014',
    name: 'Agent',
    does: 'delegate',
    durationMs: 24,
  },
  'PostToolUse.Agent.foreground': {
    id: 'toolu_fake000019',
    name: 'Agent',
    does: 'delegate',
    durationMs: 448,
  },
  'PostToolUse.AskUserQuestion': {
    id: 'toolu_fake000001',
    name: 'AskUserQuestion',
    does: 'meta',
    durationMs: 1,
  },
  'PostToolUse.Bash.background': {
    id: 'toolu_fake000011',
    name: 'Bash',
    does: 'command',
    command: 'sleep 1; echo bg',
    durationMs: 10,
  },
  'PostToolUse.Bash.in-subagent': {
    id: 'toolu_fake000020',
    name: 'Bash',
    does: 'command',
    command: 'echo from-subagent',
    durationMs: 12,
  },
  'PostToolUse.Bash': {
    id: 'toolu_fake000001',
    name: 'Bash',
    does: 'command',
    command: 'echo hello-from-bash; echo to-stderr >&2',
    durationMs: 59,
  },
  'PostToolUse.Bash.large-output': {
    id: 'toolu_fake000001',
    name: 'Bash',
    does: 'command',
    command: bigOutput,
    durationMs: 103,
  },
  'PostToolUse.Edit': {
    id: 'toolu_fake000004',
    name: 'Edit',
    does: 'change',
    files: wrote('src/new.ts'),
    durationMs: 16,
  },
  'PostToolUse.EnterPlanMode': {
    id: 'toolu_fake000002',
    name: 'EnterPlanMode',
    does: 'meta',
    durationMs: 10,
  },
  'PostToolUse.EnterWorktree': {
    id: 'toolu_fake000001',
    name: 'EnterWorktree',
    does: 'other',
    durationMs: 202,
  },
  'PostToolUse.ExitPlanMode.with-plan': {
    id: 'toolu_fake000003',
    name: 'ExitPlanMode',
    does: 'meta',
    durationMs: 4,
  },
  'PostToolUse.ExitWorktree': {
    id: 'toolu_fake000003',
    name: 'ExitWorktree',
    does: 'other',
    durationMs: 206,
  },
  'PostToolUse.Glob': { id: 'toolu_fake000002', name: 'Glob', does: 'search', durationMs: 10 },
  'PostToolUse.Grep': { id: 'toolu_fake000001', name: 'Grep', does: 'search', durationMs: 24 },
  'PostToolUse.Read': {
    id: 'toolu_fake000003',
    name: 'Read',
    does: 'read',
    files: hadRead('src/new.ts'),
    durationMs: 6,
  },
  'PostToolUse.Read.truncated': {
    id: 'toolu_fake000003',
    name: 'Read',
    does: 'read',
    files: hadRead('bigfile.txt'),
    durationMs: 21,
  },
  'PostToolUse.TaskCreate': { id: 'toolu_fake000012', name: 'TaskCreate', does: 'meta', durationMs: 25 },
  'PostToolUse.TaskUpdate': { id: 'toolu_fake000013', name: 'TaskUpdate', does: 'meta', durationMs: 4 },
  'PostToolUse.TodoWrite': { id: 'toolu_fake000001', name: 'TodoWrite', does: 'meta', durationMs: 1 },
  'PostToolUse.ToolSearch': { id: 'toolu_fake000016', name: 'ToolSearch', does: 'meta', durationMs: 2 },
  'PostToolUse.Write.create.in-subagent': {
    id: 'toolu_fake000021',
    name: 'Write',
    does: 'change',
    files: wrote('sub.txt'),
    durationMs: 4,
  },
  'PostToolUse.Write.create': {
    id: 'toolu_fake000002',
    name: 'Write',
    does: 'change',
    files: wrote('src/new.ts'),
    durationMs: 16,
  },
  'PostToolUse.Write.update': {
    id: 'toolu_fake000005',
    name: 'Write',
    does: 'change',
    files: wrote('src/new.ts'),
    durationMs: 8,
  },
  'PostToolUse.mcp__mem__mem_search': {
    id: 'toolu_fake000002',
    name: 'mcp__mem__mem_search',
    does: 'other',
    durationMs: 7,
  },
  'PostToolUseFailure.Bash': {
    id: 'toolu_fake000010',
    name: 'Bash',
    does: 'command',
    command: 'ls /nonexistent-dir; exit 3',
    durationMs: 12,
  },
  'PostToolUseFailure.Bash.large-error': {
    id: 'toolu_fake000002',
    name: 'Bash',
    does: 'command',
    command: bigFailure,
    durationMs: 108,
  },
  'PostToolUseFailure.Read': {
    id: 'toolu_fake000008',
    name: 'Read',
    does: 'read',
    files: hadRead('does-not-exist.txt'),
    durationMs: 2,
  },
  'PostToolUseFailure.WebFetch': { id: 'toolu_fake000018', name: 'WebFetch', does: 'web', durationMs: 22 },
  'PostToolUseFailure.mcp__mem__mem_fail': {
    id: 'toolu_fake000003',
    name: 'mcp__mem__mem_fail',
    does: 'other',
    durationMs: 4,
  },
};

/** The other fields of a call's event, by the event in its file name. */
function ending(file: string, wire: JsonObject): object {
  if (file.startsWith('PreToolUse.')) return { kind: 'tool-start' };
  const failed = file.startsWith('PostToolUseFailure.');
  return {
    kind: 'tool-end',
    outcome: failed ? 'failure' : 'success',
    response: failed ? wire.error : wire.tool_response,
    reportedBy: 'call',
  };
}

describe('recorded payloads', () => {
  test('every recording has a row', () => {
    const files = ['events', 'tools'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, payloads)).map((file) => `${folder}/${file}`),
    );
    const rows = [...Object.keys(meanings), ...Object.keys(calls).map((file) => `tools/${file}.json`)];
    expect(rows.sort()).toEqual(files.sort());
  });

  test.each(Object.entries(meanings))('%s', (file, expected) => {
    const wire = recorded(file);
    expect(claudeCode.toEvents('', wire)).toStrictEqual(
      expected.map((meaning) => ({ ...originOf(wire), ...meaning })),
    );
  });

  test.each(Object.entries(calls))('tools/%s.json', (file, { durationMs, files = [], ...call }) => {
    const wire = recorded(`tools/${file}.json`);
    expect(wire.tool_input).toBeDefined();
    expect(claudeCode.toEvents('', wire)).toStrictEqual([
      {
        ...originOf(wire),
        ...ending(file, wire),
        call: { ...call, input: wire.tool_input, files },
        ...(durationMs !== undefined && { durationMs }),
      },
    ]);
  });
});

describe('the event name', () => {
  const wire = { session_id: 's', reason: 'other' };
  const end = [{ kind: 'session-end', sessionId: 's', reason: 'other' }];

  test.each([
    ['comes from the payload', 'Stop', { ...wire, hook_event_name: 'SessionEnd' }, end],
    ['comes from the command line if the payload has none', 'SessionEnd', wire, end],
    [
      'comes from the command line if it has a wrong type in the payload',
      'SessionEnd',
      { ...wire, hook_event_name: 7 },
      end,
    ],
    ['is ignored if it is unknown', 'FutureEvent', wire, []],
    ['is ignored if it is a property of Object', 'constructor', wire, []],
  ])('%s', (_, eventName, payload, expected) => {
    expect(claudeCode.toEvents(eventName, payload)).toStrictEqual(expected);
  });
});

describe('missing or wrong fields', () => {
  const long = 'x'.repeat(300);
  const short = 'x'.repeat(200);
  const pairAtTheCut = `${'x'.repeat(199)}😀`;

  test.each<[string, string, Json, object[]]>([
    ['no payload', 'Stop', null, []],
    ['a list', 'Stop', [], []],
    [
      'an empty start',
      'SessionStart',
      {},
      [{ kind: 'session-start', sessionId: 'unknown', source: 'unknown' }],
    ],
    ['an empty setup', 'Setup', {}, [{ kind: 'setup', sessionId: 'unknown', trigger: 'unknown' }]],
    [
      'an empty prompt',
      'UserPromptSubmit',
      {},
      [{ kind: 'prompt', sessionId: 'unknown', text: '', origin: 'person' }],
    ],
    [
      'an empty call',
      'PostToolUse',
      {},
      [
        {
          kind: 'tool-end',
          sessionId: 'unknown',
          call: { name: 'unknown', does: 'other', input: null, files: [] },
          outcome: 'success',
          response: null,
          reportedBy: 'call',
        },
      ],
    ],
    ['a batch that is not a list', 'PostToolBatch', { tool_calls: 'two' }, []],
    [
      'a failure without its error',
      'StopFailure',
      {},
      [{ kind: 'turn-end', sessionId: 'unknown', text: '', error: 'unknown', continued: false }],
    ],
    [
      'a turn that a stop hook prolonged',
      'Stop',
      { stop_hook_active: true },
      [{ kind: 'turn-end', sessionId: 'unknown', text: '', continued: true }],
    ],
    [
      'wrong types everywhere',
      'SessionStart',
      {
        session_id: 1,
        cwd: {},
        transcript_path: [],
        prompt_id: null,
        permission_mode: true,
        agent_id: 3,
        source: 4,
        model: 5,
      },
      [{ kind: 'session-start', sessionId: 'unknown', source: 'unknown' }],
    ],
    [
      'names that are too long',
      'SessionStart',
      {
        session_id: long,
        prompt_id: pairAtTheCut,
        permission_mode: long,
        agent_id: long,
        agent_type: long,
        source: long,
        model: long,
      },
      [
        {
          kind: 'session-start',
          sessionId: short,
          promptId: 'x'.repeat(199),
          permissionMode: short,
          subagent: { id: short, type: short },
          source: short,
          model: short,
        },
      ],
    ],
  ])('%s', (_, eventName, payload, expected) => {
    expect(claudeCode.toEvents(eventName, payload)).toStrictEqual(expected);
  });
});

describe('a compaction summary', () => {
  test.each([
    ['without marks', 'Just text.', 'Just text.'],
    ['with analysis', '<analysis>\nhm\n</analysis>\n\n<summary>\nDone.\n</summary>\n', 'Done.'],
    ['with an unclosed analysis', '<analysis>hm\n<summary>\nDone.\n</summary>', 'Done.'],
    ['cut off', '<analysis>hm</analysis><summary>Half of', 'Half of'],
    [
      'that mentions the marks',
      '<analysis>a</analysis><summary>use <summary> and </summary> here</summary>',
      'use <summary> and </summary> here',
    ],
  ])('%s', (_, compact_summary, summary) => {
    expect(
      claudeCode.toEvents('PostCompact', { session_id: 's', trigger: 'auto', compact_summary }),
    ).toStrictEqual([{ kind: 'compact-end', sessionId: 's', trigger: 'auto', summary }]);
  });
});

describe('a call in a batch', () => {
  const denied =
    "Permission to use Bash has been denied because Claude Code is running in don't ask mode. IMPORTANT: …";
  const ungranted = "Claude requested permissions to write to /a/b, but you haven't granted it yet.";

  test.each<[string, Json | undefined, string]>([
    ['an output', 'ok', 'success'],
    ['no output', undefined, 'success'],
    ['an output that quotes a refusal', `log: ${denied}`, 'success'],
    ['a malformed call', '<tool_use_error>String to replace not found in file.</tool_use_error>', 'refused'],
    [
      'a malformed call in blocks',
      [{ type: 'text', text: '<tool_use_error>no</tool_use_error>' }],
      'refused',
    ],
    ["refused in don't ask mode", denied, 'refused'],
    [
      'refused by a rule for one command',
      'Permission to use Bash with command rm -rf / has been denied.',
      'refused',
    ],
    ['a permission that was not granted', ungranted, 'refused'],
    ['a command that needs approval', 'This command requires approval', 'refused'],
    [
      'two commands that need approval',
      'This Bash command contains multiple operations. The following parts require approval: curl x, sh',
      'refused',
    ],
    [
      'a path that needs approval',
      "rm in '/etc/foo' needs approval. The path is outside the working directories for this session ('/p').",
      'refused',
    ],
    [
      'a nested command that needs approval',
      "A nested command in this command can't be checked before it runs",
      'refused',
    ],
    [
      'rejected by the person',
      "The user doesn't want to proceed with this tool use. The tool use was rejected",
      'refused',
    ],
    ['blocked by a hook', 'PreToolUse:Bash hook error: [./guard.sh]: not on a Friday', 'refused'],
    ['denied by a hook', 'Hook PreToolUse:Bash denied this tool', 'refused'],
  ])('%s', (_, response, outcome) => {
    const call = { tool_name: 'Task', tool_input: { prompt: 'look' }, tool_use_id: 't1' };
    const tool_calls = [response === undefined ? call : { ...call, tool_response: response }];
    expect(claudeCode.toEvents('PostToolBatch', { session_id: 's', tool_calls })).toStrictEqual([
      {
        kind: 'tool-end',
        sessionId: 's',
        call: { id: 't1', name: 'Agent', does: 'delegate', input: { prompt: 'look' }, files: [] },
        outcome,
        response: response ?? null,
        reportedBy: 'batch',
      },
    ]);
  });
});

test('reads any JSON under any event name without throwing, and every event has a kind and a session', () => {
  const eventName = fc.oneof(fc.constantFrom(...allEvents), fc.string());
  const fields = fc.constantFrom(
    ...[
      'session_id',
      'cwd',
      'hook_event_name',
      'agent_id',
      'agent_type',
      'tool_name',
      'tool_use_id',
      'tool_input',
    ],
    ...[
      'tool_response',
      'tool_calls',
      'prompt',
      'error',
      'duration_ms',
      'compact_summary',
      'stop_hook_active',
    ],
  );
  const calls = fc.array(fc.dictionary(fields, fc.jsonValue({ maxDepth: 2 })));
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fields, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...allEvents), calls)),
  );
  fc.assert(
    fc.property(eventName, payload, (name, value) => {
      for (const event of claudeCode.toEvents(name, value as Json)) {
        expect(event.kind).toMatch(/^[a-z-]+$/);
        expect(event.sessionId.length).toBeGreaterThan(0);
        expect(event.sessionId.length).toBeLessThanOrEqual(200);
        expect(Object.values(event)).not.toContain(undefined);
      }
    }),
    { numRuns: 2_000 },
  );
});
