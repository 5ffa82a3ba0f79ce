import { existsSync } from 'node:fs';
import type { HookSighting } from '../store/store.ts';
import { checkCapture } from './checks/capture.ts';
import { type Check, worstOf } from './checks/check.ts';
import { checkClaudeCode } from './checks/claude-code.ts';
import { checkEmbedder } from './checks/embedder.ts';
import { checkHome } from './checks/home.ts';
import { checkWork } from './checks/work.ts';
import { type Call, type Command, printJson } from './command.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'Looks at everything, tries every hook, and names the cure of what is wrong',
  usage: 'doctor [--json]',
  help: 'Ends with 0 when all is well, 1 when something keeps Cairn from its work, 2 when something should be looked at.',
  options: { json: { type: 'boolean' } },
  run(call) {
    const { sightings, work } = whatIsKnown(call);
    const checks = [...checkHome(call), ...checkCapture(call), ...work, ...checkClaudeCode(call, sightings)];
    const worst = worstOf(checks);
    if (call.options.json) printJson(call, { state: worst, checks });
    else for (const check of checks) call.out(line(call, check));
    return { ok: 0, bad: 1, warn: 2 }[worst];
  },
};

/** From the memory, where it can be asked; the checks tell whether it is in trouble. Looking makes no home. */
function whatIsKnown(call: Call): { sightings: HookSighting[]; work: Check[] } {
  if (!existsSync(call.home)) return { sightings: [], work: [] };
  try {
    return readMemory({ ...call, err: () => {} }, (store) => ({
      sightings: store.hookSightings(),
      work: [...checkWork(call, store.counts()), ...checkEmbedder(call, store)],
    }));
  } catch {
    return { sightings: [], work: [] };
  }
}

function line({ paint }: Call, { name, state, says, cure }: Check): string {
  const mark = { ok: paint.green('✓'), warn: paint.yellow('!'), bad: paint.red('✗') }[state];
  const text = `${mark} ${name.padEnd(20)} ${says}`;
  return cure ? `${text}\n  ${''.padEnd(20)} ${paint.cyan('→')} ${cure}` : text;
}
