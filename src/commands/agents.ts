import { agents } from '../agents/all.ts';
import { type AgentAbilities, describeAbilities, formatAbilities } from '../agents/install/abilities.ts';
import { installers } from '../agents/install/installers.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { findInstallPlace, isAgentHere, isConnected } from './support/install-target.ts';
import { printRow } from './support/rows.ts';

type AgentState = 'connected' | 'not connected' | 'not on this machine' | 'unreadable settings' | 'by itself';

interface ListedAgent extends AgentAbilities {
  state: AgentState;
}

export const command: Command = {
  name: 'agents',
  summary: 'List the agents that Cairn knows, what it can do with each, and which are connected',
  usage: 'agents [--json | --markdown]',
  help: [
    'Context: when the model is given memories: at the start of a session, with a prompt, before a file is read,',
    'after a tool. "start+": again with the first prompt, because the agent may lose what it is given at the start.',
    '  --markdown   print the table of docs/agents.md',
  ].join('\n'),
  options: { json: { type: 'boolean' }, markdown: { type: 'boolean' } },
  run(call) {
    const listed = agents.map((agent) => listAgent(call, agent));
    if (call.options.json) printJson(call, listed);
    else if (call.options.markdown) call.out(formatAbilities(listed));
    else printTable(call, listed);
    return 0;
  },
};

function listAgent(call: Call, agent: (typeof agents)[number]): ListedAgent {
  const installer = installers.find(({ id }) => id === agent.id);
  const place = findInstallPlace(call, false);
  const abilities = describeAbilities(agent, installer, place);
  if (!installer) return { ...abilities, state: 'by itself' };
  try {
    if (isConnected({ installer, place })) return { ...abilities, state: 'connected' };
  } catch {
    return { ...abilities, state: 'unreadable settings' };
  }
  return { ...abilities, state: isAgentHere(installer, call.env) ? 'not connected' : 'not on this machine' };
}

function printTable(call: Call, listed: ListedAgent[]): void {
  const { bold, green, dim } = call.paint;
  const rows = listed.map((agent) => [
    agent.id,
    agent.state,
    describeContext(agent),
    describeMore(agent),
    agent.verifiedWith === null ? 'never seen working' : (agent.verifiedWith ?? ''),
  ]);
  const headings = ['AGENT', 'STATE', 'CONTEXT', 'MORE', 'SEEN WORKING WITH'];
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  printRow(call, bold(line(headings).trimEnd()));
  for (const [index, cells] of rows.entries()) {
    const text = line(cells).trimEnd();
    const state = listed[index]?.state;
    printRow(call, state === 'connected' ? green(text) : state === 'not on this machine' ? dim(text) : text);
  }
  call.out('Connect one: cairn install <agent>. Every column: cairn agents --markdown');
}

function describeContext({ context }: ListedAgent): string {
  const start = { yes: ['start'], again: ['start+'], 'with the first prompt': [] };
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
