import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Left alone, two cores get one process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/store/*.test.ts'],
          setupFiles: ['test/support/after-each.ts', 'test/support/cairn-on-path.ts'],
          testTimeout: 30_000,
          // A process for each file, which loads everything anew, would take as long as the tests themselves.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/*.test.ts'],
          setupFiles: ['test/support/after-each.ts', 'test/support/cairn-on-path.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
