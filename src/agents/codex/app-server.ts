import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ClientAnswer, ClientInquiry, InstallPlace, Obstacle } from '../install/agent-installer.ts';
import { isHookCommand } from '../install/hook-command.ts';

/**
 * `codex app-server` lists, over JSON-RPC, the hooks that Codex has read and whether it would run them. It reports more
 * than the files show: a file that it cannot parse, disabled hooks, a project that is not trusted.
 */
export function createInquiry(agent: string): ClientInquiry {
  const clientInfo = { name: 'cairn', title: 'Cairn', version: '1' };
  return {
    args: ['app-server'],
    variables: ['CODEX_HOME'],
    listRequests: ({ folder }) => [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo } },
      { jsonrpc: '2.0', method: 'initialized' },
      { jsonrpc: '2.0', id: 2, method: 'hooks/list', params: { cwds: [folder] } },
    ],
    isAnswer: (value) => isObject(value) && value.id === 2,
    readAnswer: (answer, place) => readAnswer(answer, place, agent),
  };
}

function readAnswer(answer: Json, { project }: InstallPlace, agent: string): ClientAnswer | null {
  const result = isObject(answer) && isObject(answer.result) ? answer.result : {};
  const [listed] = Array.isArray(result.data) ? result.data : [];
  if (!isObject(listed) || !Array.isArray(listed.hooks)) return null;
  const ours = listed.hooks
    .filter(isObject)
    .filter(({ command }) => typeof command === 'string' && isHookCommand(agent, command))
    .filter(({ source }) => (source === 'project') === (project !== null));
  if (ours.length === 0)
    return { message: null, obstacles: [{ ...describeUnlisted(listed, project), isEverywhere: true }] };
  const off = ours.filter(({ enabled }) => enabled === false);
  const untrusted = ours.filter(
    ({ enabled, trustStatus }) => enabled !== false && trustStatus !== 'trusted' && trustStatus !== 'managed',
  );
  const fine = ours.length - off.length - untrusted.length;
  return {
    message: fine === 0 ? null : `trusts ${fine} of Cairn's ${ours.length} hooks`,
    obstacles: [
      ...(untrusted.length > 0 ? [{ ...describeUntrusted(untrusted), isEverywhere: true }] : []),
      ...(off.length > 0 ? [{ ...describeOff(off), isEverywhere: true }] : []),
    ],
  };
}

type Description = Pick<Obstacle, 'message' | 'fix'>;

/** Trust is the person's decision, so Cairn only reports that it is missing. */
export function describeUntrusted(hooks: readonly unknown[]): Description {
  return {
    message: `Codex does not run hooks that you have not trusted, and ${hooks.length} of Cairn's ${areOf(hooks)} not trusted yet`,
    fix: 'Start codex once, choose to review the hooks and trust them. Until then codex exec skips them silently.',
  };
}

function describeOff(hooks: JsonObject[]): Description {
  return {
    message: `${hooks.length} of Cairn's hooks ${areOf(hooks)} switched off in Codex`,
    fix: 'Switch them on: /hooks in codex.',
  };
}

function areOf(hooks: readonly unknown[]): string {
  return hooks.length === 1 ? 'is' : 'are';
}

function describeUnlisted(listed: JsonObject, project: InstallPlace['project']): Description {
  const warnings = Array.isArray(listed.warnings) ? listed.warnings : [];
  const errors = Array.isArray(listed.errors) ? listed.errors : [];
  const messages = [...warnings, ...errors.map((error) => (isObject(error) ? error.message : error))];
  const [cause] = messages.filter((text) => typeof text === 'string');
  if (cause !== undefined)
    return {
      message: `Codex does not load Cairn's hooks: ${cause.slice(0, 300)}`,
      fix: 'Correct that file.',
    };
  const reason = project
    ? `It ignores ${project.folder} until you trust that project.`
    : 'Hooks may be switched off: see "hooks" under [features] in its config.toml.';
  return {
    message: "Codex does not load Cairn's hooks",
    fix: project ? `Start codex there once and trust the project. ${reason}` : reason,
  };
}
