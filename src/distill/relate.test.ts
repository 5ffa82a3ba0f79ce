import { expect, test } from 'vitest';
import type { Observation, ObservationType } from '../model/memory.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { relate } from './relate.ts';

function relationOf(later: string, earlier: string, type: ObservationType = 'preference') {
  const observation: Observation = {
    ...{ type, title: later, subtitle: '', narrative: '', facts: [], concepts: [] },
    ...{ filesRead: [], filesModified: [], events: [] },
  };
  return relate(observation, [{ ...observation, id: 7, title: earlier } as unknown as StoredMemory]);
}

test.each([
  ['the same words', 'Run the tests before you commit', 'Run the tests before you commit.'],
  ['other forms of them', 'Deploy from the release branch', 'Deploys from the release branches'],
  ['less of it', 'Never commit snapshots by hand', 'Never commit snapshots by hand, please'],
  ['the same in Chinese', '提交之前必须先跑测试', '提交之前必须先跑测试。'],
])('an observation that says %s strengthens the memory', (_, later, earlier) => {
  expect(relationOf(later, earlier)).toEqual({ same: 7 });
});

test.each([
  [
    'another time',
    'Payments time out after 45 seconds and retry twice',
    'Payments time out after 30 seconds and retry twice',
  ],
  [
    'another port',
    'The pooler for reports listens on port 6432',
    'The pooler for reports listens on port 5432',
  ],
  ['the opposite', 'Never deploy the api from the main branch', 'Deploy the api from the main branch'],
  [
    'the opposite of a ban',
    'Deploy the api from the main branch',
    'Never deploy the api from the main branch',
  ],
  ['an exclusion', 'Use yarn here, not pnpm', 'Use pnpm here'],
  ['another choice', 'Use yarn for installs in CI', 'Use pnpm for installs in CI'],
  [
    'what is no longer needed',
    'From now on run plain pytest, -p no:randomly is not needed anymore',
    'Tests: we always run them with -p no:randomly',
  ],
  [
    'a switch',
    'We switched to pnpm, never use npm in this repo anymore',
    'We use npm in this repo, never yarn',
  ],
  [
    'a ban that is gone',
    'Default exports are fine from now on, the eslint rule is gone',
    'Never use default exports',
  ],
  ['an end', 'We stopped squashing, always rebase merge pull requests', 'Always squash merge pull requests'],
  ['a new value', 'Max retries for netsuite is always 8 now', 'Max retries for netsuite is always 4'],
  [
    'another choice in German',
    'Wir nutzen Postgres für die Warteschlange',
    'Wir nutzen Redis für die Warteschlange',
  ],
])('a preference with %s supersedes the memory, a finding is stored next to it', (_, later, earlier) => {
  expect(relationOf(later, earlier)).toEqual({ supersedes: 7 });
  expect(relationOf(later, earlier, 'discovery')).toBeNull();
});

test.each([
  ['another thing that is banned', 'Never mock the queue in tests', 'Never mock the database in tests'],
  ['another command', 'Run npm run lint before you commit', 'Run npm test before you commit'],
  ['another place', 'Use snake_case for the columns', 'Use snake_case for the tables'],
  [
    'another person',
    'Releases of the api need approval from Maria',
    'Releases of the api need approval from Jonas',
  ],
  [
    'the value of another thing',
    'Timeouts for paypal calls are always 20 seconds',
    'Timeouts for stripe calls are always 10 seconds',
  ],
  ['the port of another thing', 'We use port 4000 for the api', 'We use port 3000 for the web app'],
  ['another ban', 'Never log the phone number now', 'Never log the customer email'],
  [
    'a new rule beside it',
    'From now on tests of the api go to tests/api',
    'Tests of the api never mock the db',
  ],
  ['more', 'Deploys happen on Friday after the daily standup', 'Deploys happen on Friday after standup'],
  ['another subject', 'Answer in German', 'Never mock the database in tests'],
])('a preference with %s changes nothing about the memory', (_, later, earlier) => {
  expect(relationOf(later, earlier)).toBeNull();
});
