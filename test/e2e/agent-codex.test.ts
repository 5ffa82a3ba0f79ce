import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { type AgentRig, checkAgent } from '../support/agent-checks.ts';
import { cairnIn, readTouched, runProgram, textOfRequest, writeJson } from '../support/agent-world.ts';
import { codex, codexConfig, TRUST_HOOKS } from '../support/codex.ts';
import { checkSubagents } from '../support/subagent-checks.ts';
import { CLI } from '../support/world.ts';

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+hello\n*** Add File: b.txt\n+goodbye\n*** End Patch\n';

checkAgent({
  ...codex,
  prepare(world, modelUrl) {
    codex.prepare(world, modelUrl);
    const other = { type: 'command', command: 'true # not ours', timeout: 5 };
    writeJson(join(world.home, '.codex/hooks.json'), { hooks: { Stop: [{ hooks: [other] }] } });
  },
  flags: [TRUST_HOOKS],
  installFlags: ['--allow-tools'],
  steps: () => [
    { call: 'apply_patch', input: PATCH },
    { call: 'exec_command', input: { cmd: 'cat a.txt; exit 3' } },
    { call: 'mcp__cairn/search', input: { query: 'port' } },
  ],
  // Only the transcript says that the command failed.
  calls: ['apply_patch success', 'Bash failure', 'mcp__cairn__search success'],
  more(rig) {
    checkSubagents('codex', rig, {
      // The subagent works in the background; its report comes with the next request.
      steps: [
        { call: 'multi_agent_v1/spawn_agent', input: { message: 'Count the trees.' } },
        { call: 'exec_command', input: { cmd: 'sleep 4' } },
      ],
      work: { call: 'exec_command', input: { cmd: 'echo apple, pear; exit 3' } },
      flags: [TRUST_HOOKS],
      calls: ['Bash failure of a subagent', 'Bash success', 'spawn_agent success'],
    });

    test('the files of a patch are recorded, and the skills are listed', async () => {
      expect((await readTouched(rig.world, 'codex')).files).toEqual(['a.txt', 'b.txt']);
      expect(textOfRequest(rig.session.requests[0])).toContain('cairn-handoff');
    });

    test('hooks run only after the person trusts them, as the installation and doctor say', async () => {
      const config = join(rig.world.home, '.codex/config.toml');
      const installed = readFileSync(config, 'utf8');
      expect(installed.startsWith(codexConfig(rig.world.project))).toBe(true);
      expect(rig.installed).toContain("8 of Cairn's");
      expect(rig.installed).toContain('trust them');
      const before = await listHooks(rig);
      expect(before.map(({ trustStatus }) => trustStatus)).toEqual(Array(9).fill('untrusted'));
      expect(await runDoctor(rig)).toEqual({
        asked: [`✗ Codex ${UNTRUSTED}`],
        read: [`✗ Codex ${UNTRUSTED} ${FROM_FILES}`],
      });
      const ignored = await rig.client.runSession([{ text: 'Hello.' }], 'say hello');
      expect(ignored).toMatchObject({ exitCode: 0, stdout: expect.not.stringMatching(/"error"|[Hh]ook/) });
      expect(textOfRequest(ignored.requests[0])).not.toContain('7070');

      const trust = before.map(
        ({ key, currentHash }) => `\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`,
      );
      writeFileSync(config, installed + trust.join(''));
      expect((await listHooks(rig)).map(({ trustStatus }) => trustStatus)).toEqual(Array(9).fill('trusted'));
      expect(await runDoctor(rig)).toEqual({
        asked: ["✓ Codex trusts 8 of Cairn's 8 hooks"],
        read: [`✓ Codex trusts Cairn's hooks, ${FROM_FILES.slice(1, -1)}`],
      });
      const { requests } = await rig.client.runSession([{ text: 'Port 7070.' }], 'Which port is it?');
      expect(textOfRequest(requests[0])).toContain('7070');

      const [key = ''] = before.map(({ key }) => key).filter((key) => key.includes(':session_start:'));
      const switchOff = (text: string) => text.replace(`${key}"]\n`, `${key}"]\nenabled = false\n`);
      writeFileSync(config, installed + switchOff(trust.join('')));
      const { asked } = await runDoctor(rig);
      expect(asked).toEqual([
        "✓ Codex trusts 7 of Cairn's 8 hooks",
        "✗ Codex 1 of Cairn's hooks is switched off in Codex",
      ]);
      writeFileSync(config, `${installed}${trust.join('')}\n[features]\nhooks = false\n`);
      expect((await runDoctor(rig)).asked).toEqual(["✗ Codex Codex does not load Cairn's hooks"]);
      writeFileSync(config, installed);
    });

    test('doctor reports the hooks of a project that Codex does not trust', async () => {
      const config = join(rig.world.home, '.codex/config.toml');
      const installed = readFileSync(config, 'utf8');
      await cairnIn(rig.world, ['install', 'codex', '--project', '--yes', '--no-mcp']);
      expect(await runDoctor(rig)).toEqual({
        asked: [`✗ Codex ${UNTRUSTED}`, `✗ Codex ${UNTRUSTED}`],
        read: [`✗ Codex ${UNTRUSTED} ${FROM_FILES}`, `✗ Codex ${UNTRUSTED} ${FROM_FILES}`],
      });
      writeFileSync(config, installed.replace('trust_level = "trusted"', 'trust_level = "untrusted"'));
      expect((await runDoctor(rig)).asked).toEqual([
        `✗ Codex ${UNTRUSTED}`,
        "✗ Codex Codex does not load Cairn's hooks",
      ]);
      writeFileSync(config, installed);
      await cairnIn(rig.world, ['uninstall', 'codex', '--project', '--yes']);
    });
  },
});

const UNTRUSTED = "Codex does not run hooks that you have not trusted, and 8 of Cairn's are not trusted yet";
const FROM_FILES = '(according to its files; codex app-server did not answer)';

/** What doctor says about trusted hooks: `asked` with the client on the PATH, `read` without it. */
async function runDoctor({ world, client }: AgentRig): Promise<{ asked: string[]; read: string[] }> {
  const bin = join(world.root, 'bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'codex'), { force: true });
  symlinkSync(client.command[0] ?? '', join(bin, 'codex'));
  const [asked = [], read = []] = await Promise.all(
    [`${bin}:${world.env.PATH}`, world.env.PATH ?? ''].map(async (PATH) => {
      const { stdout } = await runProgram(world, process.execPath, [CLI, 'doctor', '--json'], {
        env: { PATH },
      });
      const { checks }: { checks: { name: string; state: string; message: string }[] } = JSON.parse(stdout);
      return checks
        .filter(({ name, message }) => name === 'Codex' && /trust|switched|load/.test(message))
        .map(
          ({ name, state, message }) =>
            `${state === 'ok' ? '✓' : state === 'warn' ? '!' : '✗'} ${name} ${message}`,
        );
    }),
  );
  return { asked, read };
}

interface ListedHook {
  key: string;
  currentHash: string;
  trustStatus: string;
}

/** Asks the client's app server. */
async function listHooks({ world, client }: AgentRig): Promise<ListedHook[]> {
  const [program = ''] = client.command;
  const server = spawn(program, ['app-server'], { cwd: world.project, env: world.env });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: JsonObject) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error('the app server ended');
      const message = JSON.parse(value);
      if (message.id === id) return message.result;
    }
  };
  try {
    await ask(1, 'initialize', { clientInfo: { name: 'test', title: 'test', version: '0' } });
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'initialized' })}\n`);
    const { data } = await ask(2, 'hooks/list', { cwds: [world.project] });
    return data[0].hooks;
  } finally {
    server.kill();
  }
}
