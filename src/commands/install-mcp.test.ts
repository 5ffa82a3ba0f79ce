import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  config,
  file,
  home,
  hooksIn,
  install,
  moveMemory,
  root,
  run,
  SETTINGS,
  uninstall,
  useHome,
} from '../../test/support/install-home.ts';

useHome();

describe('MCP server', () => {
  const CONFIG = '{\n  "numStartups": 3,\n  "projects": {}\n}\n';
  const servers = () => JSON.parse(readFileSync(config, 'utf8')).mcpServers;
  const registered = {
    type: 'stdio',
    command: expect.stringMatching(/\/\.cairn\/bin\/cairn$/),
    env: {},
    alwaysLoad: true,
  };

  beforeEach(() => writeFileSync(config, CONFIG));

  it("is written to the client's configuration and removed completely", async () => {
    await run(install(), ['claude-code']);
    expect(servers()).toEqual({ cairn: { ...registered, args: ['mcp'] } });
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
  });

  it('is removed after the client has rewritten the file, whose other content stays', async () => {
    await run(install(), ['claude-code']);
    const value = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...value, numStartups: 4, seen: true }));
    await run(uninstall(), ['claude-code']);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ numStartups: 4, projects: {}, seen: true });
  });

  it('is not installed with --no-mcp, and removed if it was', async () => {
    const { out } = await run(install(), ['claude-code'], { 'no-mcp': true });
    expect(out.join()).not.toContain('mcp server');
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
    await run(install(), ['claude-code']);
    expect(servers()).toHaveProperty('cairn');
    await run(install(), ['claude-code'], { 'no-mcp': true });
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
    expect(hooksIn(file)).toHaveProperty('Stop');
  });

  it("keeps the person's changes to its entry, but replaces a program that is gone", async () => {
    await run(install(), ['claude-code']);
    const value = JSON.parse(readFileSync(config, 'utf8'));
    value.mcpServers.cairn = {
      ...value.mcpServers.cairn,
      args: ['/gone/dist/cli.mjs', 'mcp'],
      alwaysLoad: false,
      env: { CAIRN_LOG_LEVEL: 'debug' },
    };
    writeFileSync(config, JSON.stringify(value));
    expect((await run(install(), ['claude-code'])).out[0]).toBe('Updated Cairn for Claude Code.');
    expect(servers().cairn).toEqual({
      ...registered,
      args: ['mcp'],
      alwaysLoad: false,
      env: { CAIRN_LOG_LEVEL: 'debug' },
    });
  });

  it('does not replace another server named cairn', async () => {
    const theirs = '{"mcpServers": {"cairn": {"command": "cairn-gps", "args": ["serve"]}}}';
    writeFileSync(config, theirs);
    const { out } = await run(install(), ['claude-code']);
    expect(out).toContain(
      `${config} has another server named "cairn". It was not changed, and Cairn's server is not registered.`,
    );
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(config, 'utf8')).toBe(theirs);
  });

  it('--project registers it for the repository, from any of its worktrees', async () => {
    const project = join(root, 'project');
    execFileSync('git', ['init', '-q', project]);
    const as = ['-c', 'user.name=r', '-c', 'user.email=r@example.invalid', '-C', project];
    execFileSync('git', [...as, 'commit', '-q', '--allow-empty', '-m', 'start']);
    execFileSync('git', [...as, 'worktree', 'add', '-q', join(root, 'tree')]);
    process.chdir(join(root, 'tree'));
    await run(install(), ['claude-code'], { project: true });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
      projects: { [project]: { mcpServers: { cairn: registered } } },
    });
    await run(uninstall(), ['claude-code'], { project: true });
    expect(readFileSync(config, 'utf8')).toBe(CONFIG);
  });

  it('uses a memory in another folder', async () => {
    moveMemory();
    await run(install(), ['claude-code']);
    expect(servers().cairn.env).toEqual({ CAIRN_HOME: home });
  });

  it('an unreadable configuration stops the installation before anything is written', async () => {
    writeFileSync(config, '{"mcpServers": []}');
    await expect(run(install(), ['claude-code'])).rejects.toThrow(
      `${config}:1:16: "mcpServers" is not an object`,
    );
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(existsSync(home)).toBe(false);
  });
});
