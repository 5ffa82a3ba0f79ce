import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  file,
  home,
  install,
  moveMemory,
  noModel,
  run,
  SETTINGS,
  uninstall,
  useHome,
} from '../../test/support/install-home.ts';
import { createInstallCommand } from './install.ts';

useHome();

describe('status line and file suggestions', () => {
  const wanted = { statusline: true, 'suggest-files': true };
  const THEIRS = '{\n\n  "statusLine": {"type": "command", "command": "~/line.sh", "padding": 0}\n}\n';

  it('are installed only on request and removed completely', async () => {
    const { out } = await run(install(), ['claude-code'], wanted);
    expect(out.slice(2, 4)).toEqual(['  status line  on', '  file list    on']);
    const { statusLine, fileSuggestion } = settingsIn(file);
    expect([statusLine, fileSuggestion]).toEqual([
      { type: 'command', command: expect.stringMatching(/ set -- statusline; .+; exit 0$/) },
      { type: 'command', command: expect.stringMatching(/ set -- suggest-files; .+; exit 0$/) },
    ]);
    // A later install without the options keeps them.
    expect((await run(install(), ['claude-code'])).out[0]).toMatch(/nothing was changed/);
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it('can be added to an existing installation, and are removed with it', async () => {
    await run(install(), ['claude-code']);
    await run(install(), ['claude-code'], { statusline: true });
    expect(settingsIn(file)).toHaveProperty('statusLine');
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
  });

  it("run after the person's own status line, which uninstall restores", async () => {
    writeFileSync(file, THEIRS);
    const asked: string[] = [];
    const yes = async (question: string) => asked.push(question) > 0;
    const { out } = await run(
      createInstallCommand(yes, noModel),
      ['claude-code'],
      { statusline: true },
      true,
    );
    expect(asked[0]).toContain(' hooks and the status line (yours stays and comes first) to ');
    expect(out[2]).toMatch(/status line.+on, after yours$/);
    expect(settingsIn(file).statusLine).toEqual({
      type: 'command',
      command: expect.stringMatching(/^t='~\/line\.sh'; .+ statusline "\$t"; .+; eval "\$t"$/),
      padding: 0,
    });
    const rewritten = JSON.stringify(settingsIn(file));
    await run(uninstall(), ['claude-code']);
    expect(readFileSync(file, 'utf8')).toBe(THEIRS);
    writeFileSync(file, rewritten);
    await run(uninstall(), ['claude-code']);
    expect(settingsIn(file)).toEqual({ statusLine: { type: 'command', command: '~/line.sh', padding: 0 } });
  });

  it('appear in the dry run, which changes nothing', async () => {
    writeFileSync(file, THEIRS);
    const { out } = await run(install(), ['claude-code'], { statusline: true, 'dry-run': true });
    expect(out.join('\n')).toMatch(/^-.+"~\/line\.sh".+\n\+.+t='~\/line\.sh'/m);
    expect(readFileSync(file, 'utf8')).toBe(THEIRS);
  });

  it('leave a status line that is not a command unchanged and report it', async () => {
    writeFileSync(file, '{"statusLine": {"type": "other"}}');
    const { out } = await run(install(), ['claude-code'], wanted);
    expect(out).toContain(
      `"statusLine" in ${file} is not a command that Cairn can call; it was not changed.`,
    );
    expect(settingsIn(file).statusLine).toEqual({ type: 'other' });
  });

  it('use a memory in another folder', async () => {
    moveMemory();
    await run(install(), ['claude-code'], { statusline: true });
    expect(settingsIn(file).statusLine.command).toContain(`f='${home}/bin/cairn'; `);
  });

  const settingsIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
});
