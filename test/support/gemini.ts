import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/json.ts';
import { geminiModel } from './gemini-model.ts';
import { installPackage } from './install-client.ts';
import { type Step, startStepModel } from './step-model.ts';
import { type ProgramRun, runIn, type World } from './world.ts';

const VERSION = '0.61.0';
export const GEMINI_SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false }
}
`;

/** The path of the real program, for node. */
export async function installGemini(): Promise<string> {
  const packages = await installPackage('@google/gemini-cli', VERSION, 'gemini');
  return join(packages, '@google/gemini-cli/bundle/gemini.js');
}

export async function prepareGemini(world: World): Promise<void> {
  Object.assign(world.env, { GEMINI_API_KEY: 'fake-key', GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  await mkdir(join(world.home, '.gemini'));
  await writeFile(join(world.home, '.gemini/settings.json'), GEMINI_SETTINGS);
}

/** One session without a screen, against a scripted model. */
export async function runGemini(
  world: World,
  client: string,
  prompt: string,
  steps: Step[],
): Promise<ProgramRun & { requests: JsonObject[] }> {
  const model = await startStepModel(geminiModel, steps);
  world.env.GOOGLE_GEMINI_BASE_URL = model.url;
  try {
    const args = [client, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt];
    return { ...(await runIn(world, process.execPath, args)), requests: model.requests() };
  } finally {
    await model.close();
  }
}
