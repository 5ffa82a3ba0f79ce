import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import {
  type AgentWorld,
  cairnIn,
  makeAgentWorld,
  readCaptured,
  readFiles,
  removeAgentWorld,
  startProject,
  writeText,
} from '../support/agent-world.ts';

// The client cannot run here: the tests call the hooks of the installed file as its documentation says.

const payloads = join(import.meta.dirname, '../../src/agents/windsurf/payloads');
const OWN_HOOKS =
  '{\n  "hooks": { "post_write_code": [{ "command": "./format.sh", "show_output": true }] }\n}\n';
let world: AgentWorld;
const folder = () => join(world.home, '.codeium/windsurf');
const files = () =>
  readFiles(
    ['hooks.json', 'mcp_config.json', 'memories/global_rules.md'].map((name) => join(folder(), name)),
  );
let before: ReturnType<typeof files>;

beforeAll(async () => {
  world = makeAgentWorld();
  await startProject(world);
  mkdirSync(join(folder(), 'memories'), { recursive: true });
  writeFileSync(join(folder(), 'hooks.json'), OWN_HOOKS);
  writeFileSync(join(folder(), 'memories/global_rules.md'), 'Use tabs.\n');
  before = files();
  await cairnIn(world, ['install', 'windsurf', '--yes']);
});

afterAll(() => removeAgentWorld(world));

/** A transcript as the client documents it. */
function transcriptIn(project: string): string {
  const path = join(payloads, 'transcripts/traj-0001.jsonl');
  return readFileSync(path, 'utf8').replaceAll('/home/user/project', project);
}

/** Calls a hook of the file, in the folder of the workspace, with the payload on stdin. */
function callHook(event: string, info: JsonObject = {}) {
  const { hooks } = JSON.parse(readFileSync(join(folder(), 'hooks.json'), 'utf8'));
  const payload = JSON.parse(readFileSync(join(payloads, `${event}.json`), 'utf8'));
  const command = hooks[event].find((hook: { command: string }) => hook.command.includes('cairn')).command;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: world.project,
    env: { ...world.env, CAIRN_NO_WORKER: '1' },
    input: JSON.stringify({ ...payload, tool_info: { ...payload.tool_info, ...info } }),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a turn is captured in the project of its workspace, and no hook prints anything', async () => {
  const silence = { status: 0, stdout: '', stderr: '' };
  const file_path = join(world.project, 'README.md');
  expect(callHook('pre_user_prompt')).toEqual(silence);
  expect(callHook('post_read_code', { file_path })).toEqual(silence);
  expect(callHook('post_write_code', { file_path })).toEqual(silence);
  expect(callHook('post_run_command', { cwd: world.project })).toEqual(silence);
  expect(callHook('post_cascade_response')).toEqual(silence);
  expect(await readCaptured(world, 'windsurf')).toEqual({
    kinds: ['turn-end'],
    calls: ['read_code success', 'write_code success', 'run_command success'],
    prompts: ['please write a file'],
  });
  // The client writes the transcript before this hook; no hook has the texts between calls.
  writeText(join(world.home, '.windsurf/transcripts/traj-0001.jsonl'), transcriptIn(world.project));
  expect(callHook('post_cascade_response_with_transcript')).toEqual(silence);
  // `cairn sessions` lists the sessions of this folder's project.
  expect(JSON.parse(await cairnIn(world, ['sessions', '--json']))).toMatchObject([{ agent: 'windsurf' }]);
});

test('a past session is imported into the project of the file that it changed, a known one is not duplicated', async () => {
  const captured = await readCaptured(world, 'windsurf');
  await cairnIn(world, ['import', 'windsurf']);
  expect(await readCaptured(world, 'windsurf')).toEqual(captured);
  const elsewhere = { ...world, env: { ...world.env, CAIRN_HOME: join(world.root, 'other-home') } };
  await cairnIn(elsewhere, ['import', 'windsurf']);
  expect(await readCaptured(elsewhere, 'windsurf')).toMatchObject({
    calls: ['write_code success'],
    prompts: ['please write a file'],
  });
  expect(JSON.parse(await cairnIn(elsewhere, ['sessions', '--json']))).toMatchObject([{ agent: 'windsurf' }]);
});

test('uninstall restores the files, and without the files of Cairn the hooks do nothing', async () => {
  await cairnIn(world, ['uninstall', 'windsurf', '--yes']);
  expect(files()).toEqual(before);
  await cairnIn(world, ['install', 'windsurf', '--yes']);
  rmSync(join(world.home, '.cairn/capture.sh'));
  expect(callHook('pre_user_prompt')).toEqual({ status: 0, stdout: '', stderr: '' });
});
