import { createMemoryServer } from './support/memory-feed.ts';
import { teamStories } from './team-stories.contract.ts';

teamStories('a feed in memory', async () => {
  const server = createMemoryServer();
  return {
    connect: async (member, machine) => server.connect(member, machine),
    async backUp() {
      const restore = server.backUp();
      return async () => restore();
    },
  };
});
