import { createMemoryServer } from './support/memory-feed.ts';
import { teamSearchContract } from './team-search.contract.ts';

teamSearchContract('a feed in memory', async () => {
  const server = createMemoryServer();
  return async (member, machine) => server.connect(member, machine);
});
