import { existsSync } from 'node:fs';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { checkAgents, type HookRecords } from './checks/agent.ts';
import { checkCapture } from './checks/capture.ts';
import { type Check, worstState } from './checks/check.ts';
import { checkEmbedder } from './checks/embedder.ts';
import { checkHome } from './checks/home.ts';
import { checkTeam } from './checks/team.ts';
import { checkWork } from './checks/work.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { printWrapped } from './support/rows.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'Diagnose problems and suggest fixes',
  usage: 'doctor [--json]',
  help: 'Runs every hook once in a temporary home. Exit codes: 0 no problems, 1 Cairn does not work, 2 warnings.',
  options: { json: { type: 'boolean' } },
  run(call) {
    const { records, work } = readFromMemory(call);
    const all = [...checkHome(call), ...checkCapture(call), ...work, ...checkAgents(call, records)];
    const checks = all.map((check) => (check.fix ? { ...check, fix: withCairnCommand(check.fix) } : check));
    const worst = worstState(checks);
    if (call.options.json) printJson(call, { state: worst, checks });
    else for (const check of checks) printCheck(call, check);
    return { ok: 0, bad: 1, warn: 2 }[worst];
  },
};

/** Counts from the memory, if it can be opened; the checks report its problems. This creates no home. */
function readFromMemory(call: Call): { records: HookRecords; work: Check[] } {
  const nothing = { records: { sightings: [], unknownFields: [] }, work: [] };
  if (!existsSync(call.home)) return nothing;
  try {
    return readMemory({ ...call, err: () => {} }, (store) => ({
      records: { sightings: store.listHookActivity(), unknownFields: store.listUnknownFields() },
      work: [
        ...checkWork(call, store.countEverything()),
        ...checkEmbedder(call, store),
        ...checkTeam(call, store),
      ],
    }));
  } catch {
    return nothing;
  }
}

const NAME_COLUMNS = 20;
/** On a narrower terminal there is no room next to the names. */
const NARROW = 70;

function printCheck(call: Call, { name, state, message, fix }: Check): void {
  const { paint, columns = NARROW } = call;
  const mark = { ok: paint.green('✓'), warn: paint.yellow('!'), bad: paint.red('✗') }[state];
  const indent = columns < NARROW ? 4 : NAME_COLUMNS + 3;
  printWrapped(call, `${mark} ${name.padEnd(NAME_COLUMNS)} ${message}`, indent);
  if (fix) printWrapped(call, `${' '.repeat(indent)}${paint.cyan('→')} ${fix}`, indent + 2);
}
