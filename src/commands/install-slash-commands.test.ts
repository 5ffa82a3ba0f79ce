import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commands,
  home,
  install,
  moveMemory,
  root,
  run,
  uninstall,
  useHome,
} from '../../test/support/install-home.ts';

useHome();

describe('slash commands', () => {
  const NAMES = ['handoff.md', 'memory.md', 'recall.md', 'resume.md', 'tasks.md', 'work.md'];
  const contents = (name: string) => readFileSync(join(commands, name), 'utf8');

  it('call the program of this home, are updated by install and deleted by uninstall', async () => {
    await run(install(), ['claude-code']);
    expect(readdirSync(commands)).toEqual(NAMES);
    const program = expect.stringMatching(/^!`'\/.+\/\.cairn\/bin\/cairn' work list`$/m);
    expect(contents('work.md')).toEqual(program);
    expect(NAMES.map(contents).join()).not.toContain('CLAUDE_PLUGIN_ROOT');

    // The commands in the folder are now those of another home.
    moveMemory();
    expect((await run(install(), ['claude-code'])).out[0]).toBe('Updated Cairn for Claude Code.');
    expect(contents('work.md')).toContain(`!\`'${home}/bin/cairn' `);
    await run(uninstall(), ['claude-code']);
    expect(existsSync(commands)).toBe(false);
  });

  it('leave no folder behind that Cairn created', async () => {
    await run(install(), ['claude-code']);
    await run(install(), ['claude-code']);
    await run(uninstall(), ['claude-code']);
    expect(readdirSync(join(root, 'user/.claude'))).toEqual(['settings.json']);
    expect(existsSync(join(home, 'installed'))).toBe(false);
  });

  it.each([
    ['claude-code', '.claude/commands'],
    ['copilot', '.copilot/skills'],
    ['pi', '.pi/agent/prompts'],
    ['opencode', '.config/opencode/commands/cairn'],
  ])('keep the empty folder that the person of %s had created', async (agent, path) => {
    const folder = join(root, 'user', path);
    mkdirSync(folder, { recursive: true });
    await run(install(), [agent]);
    expect(readdirSync(folder)).not.toEqual([]);
    await run(uninstall(), [agent]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never replace a file that the person wrote or changed', async () => {
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'work.md'), 'mine\n');
    writeFileSync(join(commands, 'other.md'), 'mine too\n');
    const first = await run(install(), ['claude-code']);
    const edited = `${contents('tasks.md')}Also sing.\n`;
    writeFileSync(join(commands, 'tasks.md'), edited);
    const foreign = `${join(commands, 'work.md')} was not written by Cairn, so it was left unchanged.`;
    const changed = `${join(commands, 'tasks.md')} was changed after Cairn wrote it, so it was left unchanged.`;
    expect(first.out).toContain(foreign);
    expect((await run(install(), ['claude-code'])).out).toEqual(expect.arrayContaining([foreign, changed]));

    expect((await run(uninstall(), ['claude-code'])).out).toContain(changed);
    expect(readdirSync(commands)).toEqual(['other.md', 'tasks.md', 'work.md']);
    expect(['work.md', 'other.md', 'tasks.md'].map(contents)).toEqual(['mine\n', 'mine too\n', edited]);
  });

  it.each([
    ['to nowhere', 'none.md'],
    ['to a file', 'mine.md'],
  ])("never replace the person's link %s", async (_, target) => {
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(root, 'mine.md'), 'mine\n');
    symlinkSync(join(root, target), join(commands, 'work.md'));
    const { out } = await run(install(), ['claude-code']);
    expect(out).toContain(`${join(commands, 'work.md')} was not written by Cairn, so it was left unchanged.`);
    await run(uninstall(), ['claude-code']);
    expect(readlinkSync(join(commands, 'work.md'))).toBe(join(root, target));
    expect([existsSync(join(root, 'none.md')), readFileSync(join(root, 'mine.md'), 'utf8')]).toEqual([
      false,
      'mine\n',
    ]);
  });

  it('appear in the dry run, which changes nothing', async () => {
    const { out } = await run(install(), ['claude-code'], { 'dry-run': true });
    expect(out.join('\n')).toContain(`+++ ${join(commands, 'handoff.md')}\n`);
    expect(existsSync(commands)).toBe(false);
  });

  it('of an earlier version are deleted unless the person changed them', async () => {
    await run(install(), ['claude-code']);
    writeFileSync(join(commands, 'older.md'), contents('tasks.md'));
    writeFileSync(join(commands, 'older-and-edited.md'), `${contents('tasks.md')}x`);
    await run(install(), ['claude-code']);
    expect(readdirSync(commands)).toEqual([...NAMES, 'older-and-edited.md'].sort());
  });
});
