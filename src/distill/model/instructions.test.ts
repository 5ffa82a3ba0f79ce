import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { listModes, loadInstructions, loadMode } from './instructions.ts';

let home: string;
beforeEach(() => {
  home = tempFolder();
});

function put(folder: 'modes' | 'languages', name: string, text: string): void {
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, name), text);
}

test('the instructions name every type and every part, and nothing is left open', () => {
  const { system, problems } = loadInstructions(home, { mode: 'code', language: '' });
  for (const type of OBSERVATION_TYPES) expect(system).toContain(`- ${type}: `);
  for (const part of [
    'request',
    'investigated',
    'learned',
    'completed',
    'next_steps',
    'notes',
    'files_modified',
  ]) {
    expect(system).toContain(`"${part}"`);
  }
  expect(system).toContain('This is work on software');
  expect(system).toContain("language of the person's request");
  expect(system).not.toContain('{{');
  expect(problems).toEqual([]);
});

test("a person's own mode, whatever it contains", () => {
  put('modes', 'research.md', 'Look for $& sources and {{language}}.\n');
  const { system, problems } = loadInstructions(home, { mode: 'research', language: 'German' });
  expect(system).toContain('Look for $& sources');
  expect(system).not.toContain('This is work on software');
  expect(problems).toEqual([]);
  expect(listModes(home)).toEqual(['code', 'research']);
});

test("a person's own file goes before ours", () => {
  put('modes', 'code.md', 'Only Rust.');
  expect(loadMode(home, 'code')).toEqual({ name: 'code', text: 'Only Rust.' });
  expect(listModes(home)).toEqual(['code']);
});

test.each(['law', '../modes/code', '/etc/passwd', ''])('a mode that is not there: %j', (name) => {
  const { name: used, problem } = loadMode(home, name);
  expect(used).toBe('code');
  expect(problem).toContain(`Unknown mode: ${name}`);
  expect(problem).toContain('Modes: code.');
  expect(loadInstructions(home, { mode: name, language: '' }).problems).toEqual([problem]);
});

test.each([
  ['the name of a language', 'German', 'Write all texts in German;'],
  ['a language nobody wrote a file for', 'Low German (Platt)', 'Write all texts in Low German (Platt);'],
  ["a person's own file", 'house', 'Short sentences, British spelling.'],
])('%s', (_name, language, expected) => {
  put('languages', 'house.md', 'Short sentences, British spelling.\n');
  expect(loadInstructions(home, { mode: 'code', language }).system).toContain(`- ${expected}`);
});
