import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TeamFeed } from '../src/team/feed.ts';
import { openTeamMemories } from '../src/team/search/read-team-memory.ts';
import { searchTeam } from '../src/team/search/search-team.ts';
import { makeTeamHome, type TeamHome } from './support/team-home.ts';

type Connect = (member: string, machine: string) => Promise<TeamFeed>;

const RELIABLE = () => ({ marks: [], weight: 1 });

/** Searching what a team has, on every feed the same. */
export function teamSearchContract(name: string, makeServer: () => Promise<Connect>): void {
  describe(`searching a team on ${name}`, () => {
    let anna: TeamHome;
    let ben: TeamHome;

    beforeEach(async () => {
      const connect = await makeServer();
      anna = await makeTeamHome(await connect('Anna', 'laptop'), 'Anna', 'laptop');
      ben = await makeTeamHome(await connect('Ben', 'desktop'), 'Ben', 'desktop');
      anna.note('The payment provider sends webhooks twice', 'Deduplicate them by their event id.');
      anna.note('The staging database is reset on Sundays');
      await anna.synced();
    });

    async function search(home: TeamHome, text: string, feed: TeamFeed = home.feed) {
      const request = { text, projectId: home.projectId, limit: 10, now: home.now() };
      const result = await searchTeam(home.store, feed, request, RELIABLE);
      if (result.outcome === 'unusable') return result.problem;
      return result.hits.map(({ entry, isWeaker, from, localId }) => ({
        ...{ title: entry.title, marks: entry.marks, project: entry.project, isWeaker, from, localId },
        id: entry.id,
      }));
    }

    test('finds what was not pulled, by who made it', async () => {
      expect(await search(ben, 'are webhooks sent twice?')).toEqual([
        {
          title: 'The payment provider sends webhooks twice',
          ...{
            marks: ['from Anna', 'not pulled'],
            project: 'shop',
            isWeaker: false,
            from: 'Anna',
            localId: null,
          },
          id: expect.stringMatching(/^t[0-9a-f]{8}$/),
        },
      ]);
    });

    test('names the local number of what was pulled, and no member for what was made here', async () => {
      await ben.synced();
      const [hit] = (await search(ben, 'webhooks')) as { id: string; localId: number; marks: string[] }[];
      expect(hit).toMatchObject({ id: `#${hit?.localId}`, marks: ['from Anna'] });
      expect(ben.store.getMemory(hit?.localId ?? 0)?.title).toContain('webhooks');
      expect(await search(anna, 'webhooks')).toMatchObject([{ from: null, marks: [] }]);
    });

    test('gives what replaced an answer, although it has other words', async () => {
      const [old] = anna.store
        .listRecentMemories({ limit: 5 })
        .filter(({ title }) => title.includes('webhooks'));
      const fresh = anna.note('Every callback has one delivery now');
      anna.store.supersedeMemories([old?.id ?? 0], fresh, anna.now());
      await anna.synced();
      await anna.synced();
      expect(await search(ben, 'are webhooks sent twice?')).toMatchObject([
        { title: 'Every callback has one delivery now', from: 'Anna' },
      ]);
    });

    test('finds nothing that was forgotten, on the server or here', async () => {
      await ben.synced();
      const [hit] = (await search(ben, 'webhooks')) as { localId: number }[];
      ben.forget(hit?.localId ?? 0);
      expect(await search(ben, 'webhooks')).toEqual([]);
      await ben.synced();
      expect(await search(anna, 'webhooks')).toEqual([]);
    });

    test('leaves the cut to the rules of a local search', async () => {
      for (let number = 0; number < 30; number++) ben.note(`The payment page number ${number} is slow`);
      await ben.synced();
      const found = (await search(ben, 'payment provider webhooks sent twice')) as {
        isWeaker: boolean;
        title: string;
      }[];
      expect(found.filter(({ isWeaker }) => !isWeaker).map(({ title }) => title)).toEqual([
        'The payment provider sends webhooks twice',
      ]);
    });

    test('says what it cannot do', async () => {
      expect(await search(ben, 'project:nowhere webhooks')).toMatch(/^Unknown project in project:nowhere/);
      expect(await search(ben, 'type:gotcha')).toMatch(/^Missing words/);
      expect(await search(ben, 'kind:error webhooks')).toMatch(/^Errors are not shared/);
      expect(await search(ben, 'project:shop webhooks')).toHaveLength(1);
    });

    test('opens a memory by its short id', async () => {
      const [hit] = (await search(ben, 'webhooks')) as { id: string }[];
      const open = (beginning: string) => openTeamMemories(ben.store, ben.feed, [beginning]);
      expect(await open(hit?.id.slice(1) ?? '')).toMatchObject([
        {
          localId: null,
          memory: {
            author: 'Anna',
            title: 'The payment provider sends webhooks twice',
            narrative: 'Deduplicate them by their event id.',
          },
        },
      ]);
      expect(await open(randomUUID().slice(0, 8))).toEqual([]);
    });
  });
}
