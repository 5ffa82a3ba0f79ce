import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/model/json.ts';
import type { ClientScreen } from './claude-code-screen.ts';
import type { ScriptedTurn } from './scripted-model.ts';

/** In plan mode: writes the plan to the file that the client names, then asks the person to accept it. */
export function planning(plan: string): ScriptedTurn[] {
  return [
    (request) => [{ tool: 'Write', input: { file_path: planFileIn(request), content: plan } }],
    [{ tool: 'ExitPlanMode', input: {} }],
  ];
}

function planFileIn(request: JsonObject): string {
  const [path] = /\/[^\s"'`\\]+\/plans\/[^\s"'`\\]+\.md/.exec(JSON.stringify(request.messages)) ?? [];
  if (path === undefined) throw new Error('the client names no file for a plan: it is not in plan mode');
  return path;
}

const QUESTION = 'Would you like to proceed?';

/** The person accepts the plan, but wants to be asked before edits that are not allowed already. */
export function acceptPlan(screen: ClientScreen): Promise<void> {
  return answer(screen, '2');
}

export function refusePlan(screen: ClientScreen): Promise<void> {
  return answer(screen, 'Escape');
}

const PATIENCE_MS = 10_000;

async function answer(screen: ClientScreen, key: string): Promise<void> {
  await screen.shows(QUESTION);
  // The dialog ignores keys for a moment after it opens, to prevent accidental answers.
  for (let tries = 0; tries < 3; tries += 1) {
    await pause(1_000);
    await screen.press(key);
    // Pressed again before the dialog has closed, the key would be typed into the next prompt.
    for (let waited = 0; waited < PATIENCE_MS; waited += 200) {
      await pause(200);
      if (!(await screen.text()).includes(QUESTION)) return;
    }
  }
}
