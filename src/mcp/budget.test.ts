import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../model/json.ts';
import { countTokens } from '../model/tokens.ts';
import { ASK_FOR_NOTES, buildInstructions } from './instructions.ts';
import { tools } from './tools/all.ts';

const PLUGIN = join(import.meta.dirname, '../../plugins/claude-code');

/** Every session pays for the list, even if it calls no tool. */
test('tool list and instructions stay within their token budgets', () => {
  const list = JSON.stringify({ tools: tools.map(({ listed }) => listed) });
  expect(countTokens(list)).toBeLessThanOrEqual(1_200);
  expect(countTokens(buildInstructions({ 'mcp.askForNotes': 'on' }))).toBeLessThanOrEqual(160);
});

test('asking for notes takes few tokens in the instructions and the skill together', () => {
  const skill = readFileSync(join(PLUGIN, 'skills/memory/SKILL.md'), 'utf8');
  const section = /^## Remember .+?(?=^## )/ms.exec(skill)?.[0] ?? '';
  expect(section).toContain('`remember`');
  expect(countTokens(ASK_FOR_NOTES) + countTokens(section)).toBeLessThanOrEqual(120);
});

test('with the setting off the instructions do not ask for notes', () => {
  expect(buildInstructions({ 'mcp.askForNotes': 'off' })).not.toContain('remember');
});

test('annotations tell reading, adding and destructive tools apart', () => {
  const hints = tools.map(({ name, listed }) => [name, listed.annotations]);
  const [reads, adds] = [{ readOnlyHint: true }, { destructiveHint: false }];
  expect(Object.fromEntries(hints)).toEqual({
    search: reads,
    get: reads,
    timeline: reads,
    file_history: reads,
    remember: adds,
    tasks: adds,
    handoff: adds,
    update: adds,
    forget: { destructiveHint: true },
  });
});

test('the documentation lists every tool with its arguments', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, args = '']) => [
    name,
    [...args.matchAll(/`(\w+)`/g)].map(([, arg]) => arg),
  ]);
  const listed = tools.map(({ name, listed: { inputSchema } }) => {
    const schema = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
    return [name, Object.keys(schema)];
  });
  expect(rows).toEqual(listed);
});
