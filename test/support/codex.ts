import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/json.ts';
import { installPackage } from './install-client.ts';
import { openAiResponses } from './openai-responses.ts';
import { type Step, startStepModel } from './step-model.ts';
import { type ProgramRun, runIn, type World } from './world.ts';

const VERSION = '0.166.0';

/** The path of the real `codex` program. */
export async function installCodex(): Promise<string> {
  const packages = join(await installPackage('@openai/codex', VERSION, 'codex'), '@openai');
  const [native = ''] = readdirSync(packages).filter((name) => name.startsWith('codex-'));
  const vendor = join(packages, native, 'vendor');
  const [kind = ''] = readdirSync(vendor);
  const program = join(vendor, kind, 'bin/codex');
  if (!existsSync(program)) throw new Error(`no Codex program for this machine in ${packages}`);
  return program;
}

/** Codex itself adds the project to it, so it is there from the start. */
export const codexConfig = (project: string) => `model = "gpt-5.5"          # the person's
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "FAKE_KEY"

[projects."${project}"]
trust_level = "trusted"
`;

export async function prepareCodex(world: World): Promise<void> {
  world.env.FAKE_KEY = 'fake-key';
  await mkdir(join(world.home, '.codex'));
  await writeFile(join(world.home, '.codex/config.toml'), codexConfig(world.project));
}

/** One session without a screen, against a scripted model. */
export async function runCodex(
  world: World,
  client: string,
  prompt: string,
  steps: Step[],
  flags: string[] = [],
): Promise<ProgramRun & { requests: JsonObject[] }> {
  const model = await startStepModel(openAiResponses, steps);
  try {
    const provider = `model_providers.fake.base_url="${model.url}/v1"`;
    const args = ['exec', ...flags, '--skip-git-repo-check', '--json', '-c', provider, prompt];
    return { ...(await runIn(world, client, args)), requests: model.requests() };
  } finally {
    await model.close();
  }
}
