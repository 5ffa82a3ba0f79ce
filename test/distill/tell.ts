import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeCode } from '../../src/agents/claude-code/adapter.ts';
import type { AgentWords } from '../../src/capture/agent-words.ts';
import { cleanPayload } from '../../src/capture/clean.ts';
import { createCapturedEvent } from '../../src/capture/intake.ts';
import { findPlace } from '../../src/capture/place.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { distillTurn } from '../../src/distill/distill-turn.ts';
import { type ReadWords, splitTurn } from '../../src/distill/split-turn.ts';
import type { Turn } from '../../src/distill/turn.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Job } from '../../src/store/types/job.ts';
import { openPlainStore, type PlainStore } from '../support/plain-store.ts';
import { turnsOf } from './consistency.ts';
import type { Stored } from './score.ts';
import type { DistillScript, DistillSession, PlayedCall, Step } from './session.ts';

const MORNING = Date.UTC(2026, 4, 4, 9);
const EVENING = Date.UTC(2026, 4, 4, 18);

/**
 * Tells a session to Cairn as its hooks and its transcript would, in an empty folder and without the client, and
 * distils it. Nothing is run: a command prints what its script says it shows. A call that is stopped before its end has
 * no result, and its turn does not end: the next prompt ends it, or silence.
 */
export function tell(session: DistillSession, folder: string): Stored {
  const { store, readWords } = hearSession(session, folder);
  try {
    const now = () => EVENING;
    for (const job of claimJobs(store)) distillTurn(store, job, { now, readWords });
    return storedIn(store);
  } finally {
    store.close();
  }
}

/** The turns of a session as the distiller is given them. */
export function tellTurns(session: DistillSession, folder: string): Turn[] {
  const { store, readWords } = hearSession(session, folder);
  try {
    return [...claimJobs(store)].flatMap((job) => {
      const stored = store.readTurn(job.turnId);
      return stored ? splitTurn(store, stored, readWords(stored)) : [];
    });
  } finally {
    store.close();
  }
}

function hearSession(session: DistillSession, folder: string): { store: PlainStore; readWords: ReadWords } {
  const project = join(folder, 'project');
  for (const [path, content] of Object.entries(session.files)) writeInto(join(project, path), content);
  const store = openPlainStore(join(folder, 'cairn.db'));
  const script = session.script(project);
  const prompts = session.prompts.filter((prompt) => !prompt.startsWith('/'));
  const steps = turnsOf({ ...script, subagents: {} });
  hear(
    store,
    project,
    steps.map((own, index) => [
      { hook_event_name: 'UserPromptSubmit', prompt: prompts[index] ?? '' },
      ...own.flatMap((step) => ('tool' in step && step.goes !== 'nowhere' ? [reportOf(step)] : [])),
      ...(index === 0 ? reportsOf(script) : []),
      ...(isCut(own) ? [] : [{ hook_event_name: 'Stop', last_assistant_message: closingWords(own) }]),
    ]),
  );
  store.closeSilentTurns(EVENING);
  const readWords: ReadWords = ({ prompts: [prompt] }) =>
    wordsBetween(steps[(prompt?.number ?? 0) - 1] ?? []);
  return { store, readWords };
}

function isCut(steps: Step[]): boolean {
  return steps.some((step) => 'tool' in step && step.goes === 'nowhere');
}

/** What the agent says before its calls, as its transcript has it. */
function wordsBetween(steps: Step[]): AgentWords[] {
  return steps.flatMap((step, index) => {
    const next = steps.slice(index).find((later) => 'tool' in later);
    return 'text' in step && next ? [{ text: step.text, nextCall: next.id }] : [];
  });
}

function reportsOf({ subagents = {} }: DistillScript): JsonObject[] {
  return Object.values(subagents).map((steps, index) => ({
    hook_event_name: 'SubagentStop',
    agent_id: `subagent-${index}`,
    last_assistant_message: closingWords(steps.flat()),
  }));
}

/** Each event comes a second after the one before: the order of equal moments is not what is judged here. */
function hear(store: PlainStore, project: string, turns: JsonObject[][]): void {
  const { settings } = loadSettings(join(project, 'no settings'), readEnvironment({}));
  const place = findPlace(project);
  let heard = 0;
  for (const [turn, payloads] of turns.entries()) {
    for (const payload of payloads) {
      const hook = String(payload.hook_event_name);
      const common = { session_id: 'told', prompt_id: `prompt-${turn}`, cwd: project };
      const spoolName = `told-${++heard}`;
      const at = MORNING + heard * 1_000;
      const source = { agent: claudeCode.id, at, via: 'settings', spoolName, projectDir: project };
      const events = claudeCode
        .toEvents(hook, cleanPayload({ ...common, ...payload }))
        .map((event) => createCapturedEvent(event, source, settings));
      store.ingest([{ name: spoolName, agent: claudeCode.id, hook, via: 'settings', at, place, events }], at);
    }
  }
}

function* claimJobs(store: PlainStore): Generator<Job> {
  for (;;) {
    const job = store.claimJob(['distil'], EVENING, 60_000);
    if (!job) return;
    yield job;
  }
}

function storedIn(store: PlainStore): Stored {
  const memories = store
    .listRecentMemories({ limit: 1_000 })
    .filter(({ supersededBy }) => supersededBy === null);
  return {
    observations: memories.flatMap((memory) => (memory.type ? [{ ...memory, type: memory.type }] : [])),
    summaries: memories.flatMap(({ parts, prompt }) => (parts ? [{ ...parts, prompt }] : [])),
  };
}

/** What the agent says after its last call. */
function closingWords(steps: Step[]): string {
  const last = steps.at(-1);
  return last && 'text' in last ? last.text : '';
}

function reportOf(call: PlayedCall): JsonObject {
  const base = { tool_name: call.tool, tool_use_id: call.id, tool_input: call.input };
  if (call.tool === 'Bash') {
    const output = call.shows ?? '';
    if (call.goes === 'wrong')
      return { ...base, hook_event_name: 'PostToolUseFailure', error: `Exit code 1\n${output}`.trim() };
    const tool_response = { stdout: output, stderr: '', interrupted: false, isImage: false };
    return { ...base, hook_event_name: 'PostToolUse', tool_response };
  }
  if (call.input.file_path === undefined)
    return { ...base, hook_event_name: 'PostToolUse', tool_response: call.shows ?? '' };
  const path = String(call.input.file_path);
  if (call.goes === 'wrong')
    return { ...base, hook_event_name: 'PostToolUseFailure', error: 'String to replace not found in file.' };
  return { ...base, hook_event_name: 'PostToolUse', tool_response: responseOf(call, path) };
}

function responseOf({ tool, input }: PlayedCall, filePath: string): Json {
  if (tool === 'Read') {
    const content = contentOf(filePath);
    const numLines = content.split('\n').length;
    return { type: 'text', file: { filePath, content, numLines, startLine: 1, totalLines: numLines } };
  }
  if (tool === 'Write') {
    const content = String(input.content);
    const before = contentOf(filePath);
    writeInto(filePath, content);
    if (before === '') return { type: 'create', filePath, content, structuredPatch: [], originalFile: null };
    const structuredPatch = [patchOf(before, ...cutCommonEnds(before, content))];
    return { type: 'update', filePath, content, structuredPatch, originalFile: before };
  }
  const originalFile = contentOf(filePath);
  const before = String(input.old_string);
  const after = String(input.new_string);
  writeInto(
    filePath,
    originalFile.replace(before, () => after),
  );
  const structuredPatch = [patchOf(originalFile, before, after)];
  return { filePath, oldString: before, newString: after, originalFile, structuredPatch, replaceAll: false };
}

/** Empty for a file that a command would have made. */
function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What differs between two texts, without the lines that both begin and end with. */
function cutCommonEnds(before: string, after: string): [string, string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [old.slice(head, old.length - tail).join('\n'), now.slice(head, now.length - tail).join('\n')];
}

/** Whole lines with three around them, as the client tells an edit. */
function patchOf(original: string, before: string, after: string): Json {
  const start = Math.max(0, original.indexOf(before));
  const from = original.lastIndexOf('\n', start - 1) + 1;
  const newline = original.indexOf('\n', start + before.length);
  const to = newline < 0 ? original.length : newline;
  const old = original.slice(from, to);
  const above = original.slice(0, from).split('\n').slice(-4, -1);
  const below = original
    .slice(to + 1)
    .split('\n')
    .slice(0, 3);
  const lines = [
    ...above.map((line) => ` ${line}`),
    ...old.split('\n').map((line) => `-${line}`),
    ...old
      .replace(before, () => after)
      .split('\n')
      .map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ];
  const oldStart = original.slice(0, from).split('\n').length - above.length;
  return { oldStart, oldLines: lines.length, newStart: oldStart, newLines: lines.length, lines };
}

function writeInto(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
