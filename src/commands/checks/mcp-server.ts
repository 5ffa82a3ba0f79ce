import { spawnSync } from 'node:child_process';
import type { AgentInstaller, InstallPart, InstallPlace } from '../../agents/install/agent-installer.ts';
import { isObject, type Json } from '../../model/json.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { createForeignFileCheck } from './foreign-file.ts';

const NAME = 'MCP server';

/** Checks that the client has Cairn's server registered, and that the server answers. */
export function checkServer(call: Call, installer: AgentInstaller, place: InstallPlace): Check[] {
  const fix = `Run: cairn install ${installer.id}`;
  return installer.listParts(place).flatMap((part) => {
    if (!part.server) return [];
    const { path } = part;
    const state = part.inspect(readRegularText(path, CONFIG_LIMIT));
    if (state === 'missing') return [];
    // The hooks check already reports a plugin that is not Cairn's.
    if (state === 'foreign' && part.isWholeFile)
      return part.kind === 'hooks' ? [] : createForeignFileCheck(installer, path);
    if (state === 'foreign')
      return warn(
        NAME,
        `another server is called "cairn" in ${path}`,
        `Rename it, then run: cairn install ${installer.id}`,
      );
    if (state === 'outdated') return warn(NAME, `outdated in ${path}`, fix);
    const tried = tryServer(call, part.server);
    return tried.works ? ok(NAME, `${tried.message} in ${path}`) : bad(NAME, tried.message, fix);
  });
}

/** Runs the exact command from the configuration, as the client would, and lists its tools. */
function tryServer(
  { env, home }: Call,
  { command, args }: NonNullable<InstallPart['server']>,
): { works: boolean; message: string } {
  const began = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(command, args, {
    input: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
    timeout: 10_000,
    encoding: 'utf8',
    env: { PATH: env.searchPath, HOME: env.userHome, CAIRN_HOME: home, CAIRN_NO_WORKER: '1' },
  });
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  const count = toolsIn(stdout);
  if (count > 0) return { works: true, message: `${count} tools, answers within ${ms.toFixed(0)} ms,` };
  return { works: false, message: `does not answer (ended with ${status}: ${stderr.slice(0, 200)})` };
}

function toolsIn(stdout: string): number {
  try {
    const message: Json = JSON.parse(stdout);
    const result = isObject(message) && isObject(message.result) ? message.result : {};
    return Array.isArray(result.tools) ? result.tools.length : 0;
  } catch {
    return 0;
  }
}
