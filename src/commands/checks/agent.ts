import { existsSync } from 'node:fs';
import type {
  AgentInstaller,
  InstallPart,
  InstallPlace,
  Obstacle,
  OwnPlugin,
} from '../../agents/install/agent-installer.ts';
import { installers } from '../../agents/install/installers.ts';
import { listRecordedFiles } from '../../agents/install/record.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { HookActivity, UnknownField } from '../../store/types/session.ts';
import type { Call } from '../support/command.ts';
import { findInstallPlace, isAgentHere } from '../support/install-target.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { checkClientAnswer, createObstacleCheck } from './client-answer.ts';
import { checkVersion } from './client-version.ts';
import { checkHooks } from './hooks.ts';
import { checkServer } from './mcp-server.ts';
import { checkSlashCommands } from './slash-commands.ts';
import { checkUnknownFields } from './unknown-fields.ts';
import { createUnreadableCheck, readPartFile } from './unreadable-settings.ts';

/** What the memory knows about past hook calls. */
export interface HookRecords {
  sightings: HookActivity[];
  unknownFields: UnknownField[];
}

/** The agents' side: which hooks are in their files, whether they run, and when they last ran. */
export async function checkAgents(call: Call, { sightings, unknownFields }: HookRecords): Promise<Check[]> {
  const all = findAgents(call, sightings).map((installer) => inspectAgent(call, installer));
  const isAnyConnected = all.some(({ connected, plugin }) => connected.length > 0 || plugin);
  const checks: Check[] = [];
  for (const agent of all)
    checks.push(
      ...(await checkAgent(call, agent, sightings, isAnyConnected)),
      ...checkUnknownFields(agent.installer.name, agent.installer.id, unknownFields),
    );
  return checks;
}

async function checkAgent(
  call: Call,
  { installer, problems, connected, plugin, places }: InspectedAgent,
  sightings: HookActivity[],
  isAnyConnected: boolean,
): Promise<Check[]> {
  if (problems.length > 0) return problems;
  const { name, inquiry } = installer;
  const checks =
    inquiry && connected.length > 0
      ? await checkClientAnswer(
          call,
          { ...installer, inquiry },
          connected.map(({ place }) => place),
          (place) => findObstacles(installer, place),
        )
      : checkObstacles(installer, places);
  if (plugin) checks.push(ok(name, `plugin ${plugin.name}`));
  if (connected.length === 0 && !plugin)
    return isAnyConnected
      ? [...checks, ok(name, withCairnCommand(`not connected. To connect it: cairn install ${installer.id}`))]
      : [...checks, warn(name, 'not connected', fixFor(installer))];
  checks.push(...checkVersion(call, installer, placeOf(places).folder));
  for (const { place, part } of connected) {
    if (part.kind === 'hooks') checks.push(...checkHooks(call, installer, part, sightings));
    else checks.push(ok(name, `connected through MCP in ${part.path}; nothing of it is captured`));
    if (installer.listCommands) checks.push(checkSlashCommands(installer, place));
  }
  return [...checks, ...places.flatMap((place) => checkServer(call, installer, place))];
}

/** Checks only whether the agents' files contain what Cairn installs; runs none of it. */
export function checkConnections(call: Call, sightings: HookActivity[]): Check[] {
  const { paths } = call;
  const recorded = listRecordedFiles(paths.installed);
  const all = findAgents(call, sightings).map((installer) => inspectAgent(call, installer));
  const expected = all.filter(({ installer }) => recorded.some(({ agent }) => agent === installer.id));
  const relevant = expected.length > 0 ? expected : all;
  const problems = relevant.flatMap(({ problems }) => problems);
  if (problems.length > 0) return problems;
  const obstacles = relevant.flatMap(({ installer, places }) =>
    checkObstacles(installer, places).filter(({ state }) => state === 'bad'),
  );
  if (obstacles.length > 0) return obstacles;
  // Installed for one project, but not the one in this folder.
  const isElsewhere = ({ installer, places }: InspectedAgent) => {
    const parts = places.flatMap((place) => findMainParts(installer, place));
    const files = recorded.filter(({ agent }) => agent === installer.id).map(({ file }) => file);
    return files.some((file) => parts.some((part) => hasPart(part, file)));
  };
  const missing = relevant.filter(
    (agent) => agent.connected.length === 0 && !agent.plugin && !isElsewhere(agent),
  );
  if (expected.length > 0) return missing.map(createNotConnectedCheck);
  if (missing.length < all.length) return [];
  // An agent without an installation is not a problem: other agents report events without being installed.
  const wasRemoved = existsSync(paths.uninstalled);
  const isOnlyOurs = sightings.every(({ agent }) => installers.some(({ id }) => id === agent));
  if (wasRemoved && isOnlyOurs) return missing.map(createNotConnectedCheck);
  return sightings.length > 0
    ? []
    : missing.map(({ installer }) => warn(installer.name, 'not connected', fixFor(installer)));
}

/** The names of the agents that are connected, for every project or for the one in this folder. */
export function listConnectedAgents(call: Call, sightings: HookActivity[]): string[] {
  return findAgents(call, sightings)
    .map((installer) => inspectAgent(call, installer))
    .filter(({ connected, plugin }) => connected.length > 0 || plugin)
    .map(({ installer }) => installer.name);
}

function createNotConnectedCheck({ installer, places }: InspectedAgent): Check {
  const [part] = places.flatMap((place) => findMainParts(installer, place));
  const what = part?.kind === 'hooks' ? 'there is no hook of Cairn' : "Cairn's MCP server is not";
  return bad(installer.name, `not connected: ${what} in ${part?.path}`, `Run: cairn install ${installer.id}`);
}

/** Agents that are connected, have reported events or are on this machine; else the first of all. */
function findAgents({ env, paths }: Call, sightings: HookActivity[]): AgentInstaller[] {
  const recorded = listRecordedFiles(paths.installed);
  const found = installers.filter(
    (installer) =>
      recorded.some(({ agent }) => agent === installer.id) ||
      sightings.some(({ agent }) => agent === installer.id) ||
      isAgentHere(installer, env),
  );
  return found.length > 0 ? found : installers.slice(0, 1);
}

interface InspectedAgent {
  installer: AgentInstaller;
  /** The place for every project, and the one for the project in this folder. */
  places: InstallPlace[];
  /** Files that cannot be read. If there are any, nothing else is known. */
  problems: Check[];
  connected: { place: InstallPlace; part: InstallPart }[];
  plugin: OwnPlugin | null;
}

function inspectAgent(call: Call, installer: AgentInstaller): InspectedAgent {
  const places = [false, true].map((forProject) => findInstallPlace(call, forProject));
  const problems: Check[] = [];
  const connected: InspectedAgent['connected'] = [];
  const files = new Set<string>();
  for (const place of places) {
    const main = findMainParts(installer, place).map(({ kind }) => kind);
    for (const part of installer.listParts(place))
      try {
        const state = part.inspect(readPartFile(part));
        // A plugin that the person has changed still runs; a server of another program is not Cairn's.
        const isThere = state !== 'missing' && (state !== 'foreign' || part.kind === 'hooks');
        if (main.includes(part.kind) && isThere && !files.has(part.path)) connected.push({ place, part });
        files.add(part.path);
      } catch (error) {
        if (!files.has(part.path)) problems.push(createUnreadableCheck(installer, part.path, error));
        files.add(part.path);
      }
  }
  // If Cairn was never connected to this agent, its unreadable files do not matter.
  const isRecorded = listRecordedFiles(call.paths.installed).some(({ agent }) => agent === installer.id);
  if (installer.check !== undefined && !isRecorded) problems.length = 0;
  const plugin = problems.length > 0 ? null : (installer.findPlugin?.(placeOf(places), readText) ?? null);
  return { installer, places, problems, connected, plugin };
}

/** False if the file cannot be read. */
function hasPart(part: InstallPart, file: string): boolean {
  try {
    return part.inspect(readText(file)) !== 'missing';
  } catch {
    return false;
  }
}

/** What makes an agent connected: its hooks, or the MCP server where Cairn uses no hooks. */
function findMainParts(installer: AgentInstaller, place: InstallPlace): InstallPart[] {
  const parts = installer.listParts(place);
  const hooks = parts.filter(({ kind }) => kind === 'hooks');
  return hooks.length > 0 ? hooks : parts.filter(({ server }) => server !== undefined);
}

function placeOf([place]: InstallPlace[]): InstallPlace {
  if (!place) throw new Error('there is always a place');
  return place;
}

function readText(path: string): string | null {
  return readRegularText(path, CONFIG_LIMIT);
}

function checkObstacles(installer: AgentInstaller, places: InstallPlace[]): Check[] {
  return findObstacles(installer, placeOf(places)).map((obstacle) =>
    createObstacleCheck(installer.name, obstacle),
  );
}

function findObstacles(installer: AgentInstaller, place: InstallPlace): Obstacle[] {
  return installer.findObstacles?.(place, readText) ?? [];
}

function fixFor({ id }: AgentInstaller): string {
  return `Run: cairn install ${id}`;
}
