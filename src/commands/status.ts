import { existsSync, statSync } from 'node:fs';
import { formatCount } from '../context/words.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { VERSION } from '../platform/version.ts';
import { checkConnections, listConnectedAgents } from './checks/agent.ts';
import { checkCapture } from './checks/capture.ts';
import { worstState } from './checks/check.ts';
import { checkDamagedCopies } from './checks/damaged-copies.ts';
import { checkEmbedder } from './checks/embedder.ts';
import { checkSpoolWrites, formatMegabytes } from './checks/home.ts';
import { checkProgram } from './checks/program.ts';
import { checkTeam } from './checks/team.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { printWrapped } from './support/rows.ts';

export const command: Command = {
  name: 'status',
  summary: 'Show what is stored and whether capture works',
  usage: 'status [--json]',
  help: 'Exit codes: 0 capture works, 1 it does not.',
  options: { json: { type: 'boolean' } },
  run(call) {
    const { paths } = call;
    if (!existsSync(paths.home)) {
      if (call.options.json) printJson(call, { version: VERSION, home: paths.home, installed: false });
      else call.out(withCairnCommand('Nothing is stored yet. Connect your agents: cairn install'));
      return 0;
    }
    const { memory, sightings, embedder, team } = readMemory(call, (store) => ({
      memory: store.countEverything(),
      sightings: store.listHookActivity(),
      embedder: [...checkEmbedder(call, store), ...checkTeam(call, store)],
      team: store.getTeam(),
    }));
    const checks = [
      ...checkSpoolWrites(paths),
      ...checkDamagedCopies(paths),
      ...checkProgram(call),
      ...checkConnections(call, sightings),
      ...checkCapture(call),
      ...embedder,
    ];
    const agents = listConnectedAgents(call, sightings);
    const size = statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0;
    if (call.options.json)
      printJson(call, {
        version: VERSION,
        home: paths.home,
        installed: true,
        agents,
        size,
        ...memory,
        checks,
      });
    else print(call, { ...memory, agents, size });
    if (team && !call.options.json) call.out(`  team      ${team.member} on ${team.machine}`);
    if (!call.options.json)
      for (const { name, message, fix } of checks.filter(({ state }) => state !== 'ok'))
        printWrapped(
          call,
          `${call.paint.yellow('!')} ${name}: ${message}${fix ? ` → ${withCairnCommand(fix)}` : ''}`,
          2,
        );
    return worstState(checks) === 'bad' ? 1 : 0;
  },
};

interface Memory {
  /** Names of connected agents. */
  agents: string[];
  projects: number;
  sessions: number;
  openSessions: number;
  prompts: number;
  events: number;
  waitingJobs: number;
  memories: number;
  size: number;
}

function print(call: Call, memory: Memory): void {
  const { out, paint, paths } = call;
  printWrapped(call, `${paint.bold(`Cairn ${VERSION}`)}  ${paint.dim(paths.home)}`, 2);
  if (memory.agents.length > 0) printWrapped(call, `  agents    ${memory.agents.join(', ')}`, 12);
  out(`  projects  ${memory.projects}`);
  out(`  sessions  ${memory.sessions}${memory.openSessions ? ` (${memory.openSessions} open)` : ''}`);
  out(`  prompts   ${memory.prompts}`);
  out(`  events    ${memory.events}`);
  const waiting = memory.waitingJobs ? ` (${formatCount(memory.waitingJobs, 'turn')} not distilled yet)` : '';
  printWrapped(call, `  memories  ${memory.memories}${waiting}`, 12);
  out(`  size      ${formatMegabytes(memory.size)}`);
}
