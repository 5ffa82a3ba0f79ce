import { agents } from '../agents/all.ts';
import {
  type AgentAbilities,
  describeAbilities,
  formatAbilities,
  formatEvents,
  formatMcpOnly,
} from '../agents/install/abilities.ts';
import type { AgentInstaller } from '../agents/install/agent-installer.ts';
import { installers } from '../agents/install/installers.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Check } from './checks/check.ts';
import { findUnreadableSettings } from './checks/unreadable-settings.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { findInstallPlace, isAgentHere, isConnected } from './support/install-target.ts';
import { printRow, printWrapped } from './support/rows.ts';

type AgentState =
  | 'connected'
  | 'not connected'
  | 'not on this machine'
  | 'unreadable settings'
  | 'needs no setup';

interface Connection {
  state: AgentState;
  /** Settings files that cannot be read. */
  problems?: Pick<Check, 'message' | 'fix'>[];
}

interface ListedAgent extends AgentAbilities, Connection {}

/** An agent that Cairn reaches only through MCP. */
interface ListedClient extends Connection {
  id: string;
  name: string;
  isMcpOnly: true;
  check: string;
  verifiedWith: string | null;
}

export const command: Command = {
  name: 'agents',
  summary: 'List the agents that Cairn knows, what it can do with each, and which are connected',
  usage: 'agents [--json | --markdown]',
  help: [
    'Context: when the model gets memories: at the start of a session, with a prompt, before a file is read,',
    'after a tool. "start+": again with the first prompt, because the agent may lose what it is given at the start.',
    'Below the table: settings that cannot be read, and what to do.',
    '  --markdown   print the tables of docs/agents.md: every ability, the events of each agent, the MCP clients',
  ].join('\n'),
  options: { json: { type: 'boolean' }, markdown: { type: 'boolean' } },
  run(call) {
    const place = findInstallPlace(call, false);
    const listed = agents.map((agent) => listAgent(call, agent));
    const clients = installers.filter(({ id }) => !agents.some((agent) => agent.id === id));
    const others = clients.map((installer) => listClient(call, installer));
    if (call.options.json) printJson(call, [...listed, ...others]);
    else if (call.options.markdown) {
      call.out(formatAbilities(listed));
      call.out('');
      call.out(formatEvents(listed));
      call.out('');
      call.out(formatMcpOnly(installers.filter(isMcpOnly), place));
    } else printTable(call, listed, others);
    return 0;
  },
};

/** Whether Cairn installs only its MCP server for this agent, no hooks. */
function isMcpOnly({ check }: AgentInstaller): boolean {
  return check !== undefined;
}

function listAgent(call: Call, agent: (typeof agents)[number]): ListedAgent {
  const installer = installers.find(({ id }) => id === agent.id);
  const abilities = describeAbilities(agent, installer, findInstallPlace(call, false));
  return { ...abilities, ...(installer ? findConnection(call, installer) : { state: 'needs no setup' }) };
}

function listClient(call: Call, installer: AgentInstaller): ListedClient {
  const { id, name, check = '', verifiedWith } = installer;
  return { id, name, isMcpOnly: true, check, verifiedWith, ...findConnection(call, installer) };
}

function findConnection(call: Call, installer: AgentInstaller): Connection {
  const place = findInstallPlace(call, false);
  const problems = findUnreadableSettings(installer, place).map(({ message, fix }) => ({
    message,
    ...(fix !== undefined && { fix: withCairnCommand(fix) }),
  }));
  if (problems.length > 0) return { state: 'unreadable settings', problems };
  if (isConnected({ installer, place })) return { state: 'connected' };
  return { state: isAgentHere(installer, call.env) ? 'not connected' : 'not on this machine' };
}

function printTable(call: Call, listed: ListedAgent[], clients: ListedClient[]): void {
  const { bold, green, dim } = call.paint;
  const seen = ({ verifiedWith }: ListedAgent | ListedClient) =>
    verifiedWith === null ? 'not yet' : (verifiedWith ?? '');
  const rows = [
    ...listed.map((agent) => [agent, describeContext(agent), describeMore(agent), seen(agent)] as const),
    ...clients.map((client) => [client, '', 'mcp', seen(client)] as const),
  ].map(([{ id, state }, ...cells]) => [id, state, ...cells]);
  const headings = ['AGENT', 'STATE', 'CONTEXT', 'MORE', 'TESTED WITH'];
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  printRow(call, bold(line(headings).trimEnd()));
  for (const [index, cells] of rows.entries()) {
    const text = line(cells).trimEnd();
    const state = [...listed, ...clients][index]?.state;
    printRow(call, state === 'connected' ? green(text) : state === 'not on this machine' ? dim(text) : text);
  }
  for (const { name, problems = [] } of [...listed, ...clients])
    for (const { message, fix } of problems) printProblem(call, `${name}: ${message}`, fix);
  call.out(withCairnCommand('Connect one: cairn install <agent>. Every column: cairn agents --markdown'));
}

/** In the format of `cairn doctor`. */
function printProblem(call: Call, message: string, fix: string | undefined): void {
  const { red, cyan } = call.paint;
  printWrapped(call, `${red('✗')} ${message}`, 2);
  if (fix) printWrapped(call, `  ${cyan('→')} ${fix}`, 4);
}

function describeContext({ context }: ListedAgent): string {
  const start = { yes: ['start'], again: ['start+'], 'with the first prompt': [], no: [] };
  return [
    ...start[context.start],
    ...(context.prompt ? ['prompt'] : []),
    ...(context.read ? ['read'] : []),
    ...(context.tool ? ['tool'] : []),
  ].join(' ');
}

function describeMore(agent: ListedAgent): string {
  return [
    ...(agent.hasServer ? ['mcp'] : []),
    ...(agent.hasCommands ? ['commands'] : []),
    ...(agent.hasTranscripts ? ['import'] : []),
    ...(agent.showsMessages ? ['messages'] : []),
  ].join(' ');
}
