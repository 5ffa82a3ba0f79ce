import { existsSync } from 'node:fs';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { checkAgents, type HookRecords } from './checks/agent.ts';
import { checkCapture } from './checks/capture.ts';
import { type Check, worstState } from './checks/check.ts';
import { checkEmbedder } from './checks/embedder.ts';
import { checkHome } from './checks/home.ts';
import { checkTeam } from './checks/team.ts';
import { checkWork } from './checks/work.ts';
import { widthOf } from './support/columns.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { printWrapped } from './support/rows.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'Diagnose problems and suggest fixes',
  usage: 'doctor [--json]',
  help: 'Runs every hook once in a temporary home. Exit codes: 0 no problems, 1 Cairn does not work, 2 warnings.',
  options: { json: { type: 'boolean' } },
  async run(call) {
    const { records, work } = readFromMemory(call);
    const all = [...checkHome(call), ...checkCapture(call), ...work, ...(await checkAgents(call, records))];
    const checks = all.map((check) => (check.fix ? { ...check, fix: withCairnCommand(check.fix) } : check));
    const worst = worstState(checks);
    if (call.options.json) printJson(call, { state: worst, checks });
    else printChecks(call, checks);
    return { ok: 0, bad: 1, warn: 2 }[worst];
  },
};

/** Reads records and counts if the memory can be opened; the checks report its problems. Creates no home. */
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

/** Enough for most names; the column grows only for longer ones. */
const NAME_COLUMNS = 20;
/** Below this width names and messages do not fit next to each other. */
const NARROW = 70;
/** The least width that the names leave for messages. */
const MESSAGE_COLUMNS = 45;

function printChecks(call: Call, checks: Check[]): void {
  const nameColumns = findNameColumns(checks, call.columns);
  for (const check of checks) printCheck(call, check, nameColumns);
}

/** The width of the longest name that leaves enough room for messages. */
function findNameColumns(checks: Check[], columns = Number.POSITIVE_INFINITY): number {
  const room = Math.max(columns, NARROW) - MESSAGE_COLUMNS;
  const widths = checks.map(({ name }) => widthOf(name)).filter((width) => width <= room);
  return Math.max(NAME_COLUMNS, ...widths);
}

function printCheck(call: Call, { name, state, message, fix }: Check, nameColumns: number): void {
  const { paint, columns = Number.POSITIVE_INFINITY } = call;
  const mark = { ok: paint.green('✓'), warn: paint.yellow('!'), bad: paint.red('✗') }[state];
  const indent = columns < NARROW ? 4 : nameColumns + 3;
  const space = nameColumns - widthOf(name);
  if (space < 0) {
    printWrapped(call, `${mark} ${name}`, indent);
    printWrapped(call, `${' '.repeat(indent)}${message}`, indent);
  } else printWrapped(call, `${mark} ${name}${' '.repeat(space)} ${message}`, indent);
  if (fix) printWrapped(call, `${' '.repeat(indent)}${paint.cyan('→')} ${fix}`, indent + 2);
}
