import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../model/json.ts';
import { agents } from './all.ts';

const checked = agents.filter(({ knownFields }) => knownFields !== undefined);

test.each(checked.map((agent) => [agent.id, agent] as const))(
  '%s knows the fields of every recorded payload',
  (id, agent) => {
    const folder = join(import.meta.dirname, id, 'payloads');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    // Claude Code also has folders with recordings that are not hook payloads.
    const files = names.filter((name) => /^(?:(?:events|tools)\/.*|[^/]*)\.json$/.test(name));
    expect(files.length).toBeGreaterThan(0);
    const unknown = files.flatMap((file) => {
      const payload: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const fields = isObject(payload) ? Object.keys(payload) : [];
      return fields
        .filter((name) => !agent.knownFields?.includes(name))
        .map((name) => `${basename(file)}: ${name}`);
    });
    expect(unknown).toEqual([]);
  },
);
