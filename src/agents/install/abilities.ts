import type { Agent } from '../agent.ts';
import type { AgentInstaller, InstallPart, InstallPlace, PartKind } from './agent-installer.ts';

/** What Cairn can do with an agent, derived from the agent's folder. */
export interface AgentAbilities {
  id: string;
  name: string;
  /** The events that the agent reports to Cairn, by its own names; none if it calls Cairn by itself. */
  events: string[];
  /** When the model gets context. `again`: at the start, and with the first prompt in case it was lost. */
  context: {
    start: 'yes' | 'again' | 'with the first prompt' | 'no';
    prompt: boolean;
    read: boolean;
    tool: boolean;
  };
  /** Whether the person sees messages of hooks. */
  showsMessages: boolean;
  /** In characters per hook. */
  longestContext: number;
  /** Whether past sessions can be imported. */
  hasTranscripts: boolean;
  hasServer: boolean;
  hasCommands: boolean;
  /** Null if Cairn was never tested with the agent's client; undefined if there is no client. */
  verifiedWith: string | null | undefined;
}

/** @param installer undefined for an agent that calls Cairn by itself. */
export function describeAbilities(
  agent: Agent,
  installer: AgentInstaller | undefined,
  place: InstallPlace,
): AgentAbilities {
  const { prompt, read, tool } = agent.context;
  const parts = installer?.listParts(place) ?? [];
  return {
    id: agent.id,
    name: agent.name,
    events: parts.flatMap(({ hooks, events }) => hooks?.events ?? events ?? []),
    context: { start: startOf(agent), prompt, read, tool },
    showsMessages: !agent.hidesNotices,
    longestContext: agent.longestContext,
    hasTranscripts: agent.transcripts !== undefined,
    hasServer: installer === undefined || parts.some(({ server }) => server !== undefined),
    hasCommands: installer?.listCommands !== undefined,
    verifiedWith: installer?.verifiedWith,
  };
}

function startOf({ context }: Agent): AgentAbilities['context']['start'] {
  if (context.start) return context.startMayBeLost ? 'again' : 'yes';
  return context.prompt ? 'with the first prompt' : 'no';
}

const HEADINGS = [
  ...['Agent', 'Name', 'Context: start', 'prompt', 'read', 'after a tool', 'Longest', 'Messages', 'Import'],
  ...['MCP', 'Commands', 'Tested with'],
];

/** The first table of docs/agents.md. */
export function formatAbilities(all: AgentAbilities[]): string {
  const rows = all.map((abilities) => {
    const { id, name, context, longestContext, showsMessages, hasTranscripts } = abilities;
    const { hasServer, hasCommands, verifiedWith } = abilities;
    const flags = [context.prompt, context.read, context.tool].map(yesOrNo);
    const rest = [showsMessages, hasTranscripts, hasServer, hasCommands].map(yesOrNo);
    const version = verifiedWith === undefined ? '–' : (verifiedWith ?? 'not yet');
    const start = context.start === 'again' ? 'yes, and with the first prompt' : context.start;
    return [`\`${id}\``, name, start, ...flags, String(longestContext), ...rest, version];
  });
  return formatTable([HEADINGS, ...rows]);
}

/** The second table of docs/agents.md: the events that each agent reports. */
export function formatEvents(all: AgentAbilities[]): string {
  const rows = all
    .filter(({ events }) => events.length > 0)
    .map(({ id, events }) => [`\`${id}\``, events.map((event) => `\`${event}\``).join(', ')]);
  return formatTable([['Agent', 'Events'], ...rows]);
}

/** The third table of docs/agents.md: the files written for agents that only use MCP. */
export function formatMcpOnly(all: AgentInstaller[], place: InstallPlace): string {
  const rows = all.map((installer) => {
    const { id, name, verifiedWith, check = '' } = installer;
    const pathOf = (kind: PartKind) => installer.listParts(place).find((part) => part.kind === kind)?.path;
    const shown = [pathOf('mcp server'), pathOf('rules')].map((path) =>
      path === undefined ? 'of a project only' : `\`${path.replace(place.userHome, '~')}\``,
    );
    const inProject = yesOrNo(listProjectParts(installer, place).length > 0);
    const hasCommands = yesOrNo(installer.listCommands !== undefined);
    return [`\`${id}\``, name, ...shown, hasCommands, inProject, check, verifiedWith ?? 'not yet'];
  });
  return formatTable([MCP_HEADINGS, ...rows]);
}

const MCP_HEADINGS = [
  ...['Agent', 'Name', 'Server', 'Rules', 'Commands', '`--project`'],
  ...['Check with', 'Tested with'],
];

function listProjectParts(installer: AgentInstaller, place: InstallPlace): InstallPart[] {
  return installer.listParts({ ...place, project: { folder: place.folder, repository: place.folder } });
}

function formatTable([headings = [], ...rows]: string[][]): string {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function yesOrNo(isTrue: boolean): string {
  return isTrue ? 'yes' : 'no';
}
