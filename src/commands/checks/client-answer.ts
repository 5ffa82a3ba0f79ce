import { sep } from 'node:path';
import type {
  AgentInstaller,
  ClientAnswer,
  ClientInquiry,
  InstallPlace,
  Obstacle,
} from '../../agents/install/agent-installer.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { askProgram } from '../../platform/run-program.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { findClient } from './client-version.ts';

const LONGEST_ANSWER_MS = 5_000;

/**
 * What the client itself reports about its hooks in these places; if its program does not answer, what its files
 * show.
 */
export async function checkClientAnswer(
  call: Call,
  installer: AgentInstaller & { inquiry: ClientInquiry },
  places: InstallPlace[],
  readObstacles: (place: InstallPlace) => Obstacle[],
): Promise<Check[]> {
  const { name, program, inquiry } = installer;
  const [first] = places;
  const answer = first && (await askClient(call, installer, first));
  const answers = answer === undefined ? [] : places.map((place) => inquiry.readAnswer(answer, place));
  if (answers.length > 0 && answers.every((read): read is ClientAnswer => read !== null))
    return answers.flatMap(({ message, obstacles }) => [
      ...(message === null ? [] : [ok(name, message)]),
      ...obstacles.map((obstacle) => createObstacleCheck(name, obstacle)),
    ]);
  const how = `according to its files; ${[program, ...inquiry.args].join(' ')} did not answer`;
  const obstacles = places
    .flatMap(readObstacles)
    .map((found) => ({ ...found, message: `${found.message} (${how})` }));
  return obstacles.length > 0
    ? obstacles.map((obstacle) => createObstacleCheck(name, obstacle))
    : [ok(name, `trusts Cairn's hooks, ${how}`)];
}

export function createObstacleCheck(name: string, { message, fix, isEverywhere }: Obstacle): Check {
  return isEverywhere ? bad(name, message, fix) : warn(name, message, fix);
}

async function askClient(
  { env }: Call,
  { program, inquiry }: AgentInstaller & { inquiry: ClientInquiry },
  place: InstallPlace,
): Promise<Json | undefined> {
  const client = findClient(program, env.searchPath, place.folder);
  if (!client) return undefined;
  const variables = inquiry.variables.flatMap((name) => {
    const value = env.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const call = {
    program: client.path,
    args: inquiry.args,
    // Outside of any project.
    cwd: sep,
    env: { PATH: client.searchPath, HOME: env.userHome, ...Object.fromEntries(variables) },
    input: inquiry
      .listRequests(place)
      .map((request) => `${JSON.stringify(request)}\n`)
      .join(''),
  };
  const isAnswer = (line: string) => {
    const value = parseJson(line);
    return value !== undefined && inquiry.isAnswer(value);
  };
  try {
    return parseJson(await askProgram(call, isAnswer, AbortSignal.timeout(LONGEST_ANSWER_MS)));
  } catch {
    return undefined;
  }
}
