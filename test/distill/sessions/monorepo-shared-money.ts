import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const MONEY = 'packages/core/src/money.ts';
const OLD_MONEY = 'apps/web/src/lib/money.ts';
const CART = 'apps/web/src/cart.ts';
const INVOICE = 'apps/api/src/invoice.ts';

const MONEY_CODE = `export interface Money {
  cents: number;
  currency: 'EUR' | 'CHF';
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new TypeError('currencies differ');
  return { cents: a.cents + b.cents, currency: a.currency };
}
`;

export const monorepoSharedMoney: DistillSession = {
  name: 'monorepo shared money',
  about:
    'A module moves into a shared package of a monorepo; numbered steps at the end; two rules of the person.',
  files: {
    'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n',
    'package.json':
      '{ "name": "market", "private": true, "scripts": { "typecheck": "pnpm -r exec tsc --noEmit" } }\n',
    'packages/core/package.json':
      '{ "name": "@market/core", "version": "0.0.0", "types": "dist/index.d.ts", "main": "dist/index.js" }\n',
    'packages/core/src/index.ts': "export * from './dates.js';\n",
    'apps/web/package.json': '{ "name": "@market/web", "dependencies": {} }\n',
    'apps/api/package.json': '{ "name": "@market/api", "dependencies": {} }\n',
    [OLD_MONEY]: MONEY_CODE,
    [CART]: "import { add } from './lib/money.js';\n\nexport const total = (prices) => prices.reduce(add);\n",
    [INVOICE]:
      '// TODO: same as in the web app\nexport const addMoney = (a, b) => ({ ...a, cents: a.cents + b.cents });\n',
  },
  prompts: [
    'Please move the Money type and add() from apps/web to packages/core so the api can use it as well, and get rid of the copy in apps/api/src/invoice.ts.',
    "That works, but please use workspace:* for our own packages, not file: paths. And don't put .js build output into git.",
    'why does typecheck need the build of core first?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll get an overview of the workspace."),
          run(
            'cat pnpm-workspace.yaml && ls apps packages',
            'Overview',
            'packages:\n  - apps/*\n  - packages/*\napps:\napi\nweb\n\npackages:\ncore',
          ),
          run(
            'grep -rn "lib/money" apps --include=*.ts',
            'Who imports money',
            `${CART}:1:import { add } from './lib/money.js';`,
          ),
        ],
        [
          read(OLD_MONEY),
          read(CART),
          read(INVOICE),
          read('packages/core/src/index.ts'),
          read('packages/core/package.json'),
        ],
        [
          run(`git mv ${OLD_MONEY} ${MONEY}`, 'Move the module', ''),
          edit(
            'packages/core/src/index.ts',
            "export * from './dates.js';\n",
            "export * from './dates.js';\nexport * from './money.js';\n",
          ),
          edit(CART, "from './lib/money.js'", "from '@market/core'"),
          write(INVOICE, "export { add as addMoney } from '@market/core';\n"),
          edit(
            'apps/web/package.json',
            '"dependencies": {}',
            '"dependencies": { "@market/core": "file:../../packages/core" }',
          ),
          edit(
            'apps/api/package.json',
            '"dependencies": {}',
            '"dependencies": { "@market/core": "file:../../packages/core" }',
          ),
        ],
        [
          fail(
            'pnpm typecheck',
            'Check the types',
            "apps/api/src/invoice.ts(1,10): error TS2305: Module '\"@market/core\"' has no exported member 'add'.\napps/web/src/cart.ts(1,10): error TS2305: Module '\"@market/core\"' has no exported member 'add'.\n ELIFECYCLE  Command failed with exit code 2.",
          ),
        ],
        [
          say('The types of `@market/core` come from `dist`, which is stale. Building it first.'),
          run('pnpm --filter @market/core build', 'Build core', '> @market/core@0.0.0 build\n> tsc -p .'),
          run(
            'pnpm typecheck',
            'Check the types again',
            'Scope: 3 of 4 workspace projects\napps/api exec: Done\napps/web exec: Done',
          ),
        ],
        [
          run(
            'pnpm -r test',
            'Run all tests',
            'apps/web test:  Test Files  6 passed (6)\napps/api test:  Test Files  9 passed (9)',
          ),
        ],
        [
          say(`The move is complete. Here is what I did, step by step:

1. Moved \`${OLD_MONEY}\` to \`${MONEY}\` with \`git mv\`, so the history is kept.
2. Exported it from \`packages/core/src/index.ts\`.
3. Replaced the import in \`${CART}\` by \`@market/core\`.
4. Replaced the copy in \`${INVOICE}\` with a re-export. The copy did not check the currencies, so \`addMoney\` in the api now throws a \`TypeError\` when they differ.
5. Added \`@market/core\` to the dependencies of both apps.

Please note: \`pnpm typecheck\` reads the types of core from \`packages/core/dist\`, so \`pnpm --filter @market/core build\` has to run before it; otherwise it complains about missing exports.`),
        ],
        [
          edit('apps/web/package.json', 'file:../../packages/core', 'workspace:*'),
          edit('apps/api/package.json', 'file:../../packages/core', 'workspace:*'),
          run('cat .gitignore', 'Is dist ignored', 'node_modules\ndist'),
          run(
            'pnpm install --offline && git status --short',
            'Update the lockfile',
            ' M apps/api/package.json\n M apps/web/package.json\n M pnpm-lock.yaml',
          ),
        ],
        [
          say(
            'Both apps now depend on `"@market/core": "workspace:*"`, and the lockfile is updated. `dist` is already in `.gitignore`, so no build output is tracked.',
          ),
        ],
        [read('packages/core/package.json')],
        [
          say(
            'Because `packages/core/package.json` sets `"types": "dist/index.d.ts"`. TypeScript resolves `@market/core` through that field, so it sees the last build rather than the sources. There are two ways around it: TypeScript project references with `tsc -b`, or a `"development"` condition in `exports` that points at `src/index.ts`.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['refactor', 'change', 'feature'],
        says: [/money/, /packages\/core|@market\/core/],
        files: [CART, INVOICE],
        prompt: 1,
      },
      { type: 'preference', says: ['workspace:*', /file:/], prompt: 2 },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/dist/, /types/, /build/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: ['typecheck', /build/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'change'], says: ['addMoney', /TypeError|throws/], prompt: 1 },
      { type: 'preference', says: [/build output/], prompt: 2 },
      { type: ['change', 'refactor'], says: ['workspace:*'], files: ['apps/web/package.json'], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['Money', 'packages/core'],
        completed: [/money/],
        filesModified: [CART, INVOICE, 'packages/core/src/index.ts'],
      },
      {
        prompt: 2,
        request: ['workspace:*'],
        completed: ['workspace:*'],
        filesModified: ['apps/api/package.json'],
      },
      { prompt: 3, request: ['typecheck'], learned: [/dist\/index\.d\.ts|last build/] },
    ],
    noise: ['overview of the workspace', 'step by step', 'ELIFECYCLE', /TS2305/, 'Scope: 3 of 4'],
  },
};
