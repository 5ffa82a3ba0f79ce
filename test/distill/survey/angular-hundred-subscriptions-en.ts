import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

/** The components by feature folder. */
const FEATURES: Record<string, string[]> = {
  orders: ['order-list', 'order-detail', 'order-notes', 'order-history', 'order-filter'],
  billing: ['invoice-list', 'invoice-detail', 'dunning-panel', 'payment-form'],
  stock: ['stock-table', 'stock-alerts', 'reorder-form', 'bin-map', 'cycle-count'],
  uploads: ['upload-list', 'upload-progress', 'upload-errors'],
  reports: ['report-menu', 'sales-chart', 'margin-chart', 'export-button', 'schedule-form'],
};

const fileOf = (feature: string, name: string) => `src/app/${feature}/${name}.component.ts`;
const paths = Object.entries(FEATURES).flatMap(([feature, names]) =>
  names.map((name) => fileOf(feature, name)),
);
const PROGRESS = fileOf('uploads', 'upload-progress');
const STOCK_TABLE = fileOf('stock', 'stock-table');
const LINT = 'eslint.config.js';
const COUNT = 'scripts/count-leaks.mjs';

const IMPORT = "import { Component, inject, OnInit } from '@angular/core';\n";
const IMPORTS = `import { Component, DestroyRef, inject, OnInit } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
`;

function component(path: string): string {
  const name = (path.split('/').at(-1) ?? '').replace('.component.ts', '');
  const pipe =
    path === STOCK_TABLE
      ? 'this.feed.filter$.pipe(switchMap((f) => this.feed.rows(f)))'
      : 'this.feed.changes$';
  return `${IMPORT}import { Feed } from '../feed';

@Component({ selector: 'app-${name}', templateUrl: './${name}.html' })
export class ${name.replaceAll('-', '_')} implements OnInit {
  private feed = inject(Feed);

  ngOnInit() {
    ${pipe}.subscribe((value) => this.show(value));
  }

  show(_value: unknown) {}
}
`;
}

const NG = `#!/bin/sh
# Stands in for "ng test".
if grep -rqs 'takeUntilDestroyed())' src/app; then
  echo "order-list > shows orders FAILED"
  echo "  NG0203: takeUntilDestroyed() can only be used within an injection context such as a constructor"
  exit 1
fi
if grep -qs 'takeUntilDestroyed' ${PROGRESS}; then
  echo "upload-progress > keeps uploading after the person navigates away FAILED"
  echo "  Expected 3 parts to be sent, but 1 was."
  exit 1
fi
echo "TOTAL: 431 SUCCESS"
`;

export const angularHundredSubscriptionsEn: SurveySession = {
  name: 'angular hundred subscriptions en',
  about: 'A refactoring of two dozen components in a hundred calls; one component must stay as it is.',
  kind: 'refactoring',
  language: 'en',
  ecosystem: 'angular',
  long: true,
  files: {
    'package.json':
      '{ "name": "depot", "private": true, "type": "module", "dependencies": { "@angular/core": "20.3.4" } }\n',
    ...Object.fromEntries(paths.map((path) => [path, component(path)])),
    'src/app/feed.ts': 'export class Feed { changes$: any; filter$: any; rows(_: unknown): any {} }\n',
    'src/app/legacy/old-desk.component.ts': component('src/app/legacy/old-desk.component.ts'),
    [LINT]: 'export default [{ rules: {} }];\n',
    [COUNT]: `import { readdirSync, readFileSync } from 'node:fs';

const files = readdirSync('src/app', { recursive: true }).filter((f) => f.endsWith('.component.ts') && !f.startsWith('legacy'));
const leaks = files.filter((f) => {
  const text = readFileSync('src/app/' + f, 'utf8');
  return text.includes('.subscribe(') && !text.includes('takeUntilDestroyed');
});
console.log(leaks.length + ' of ' + files.length + ' components subscribe without an end');
for (const f of leaks.slice(0, 3)) console.log('  ' + f);
`,
  },
  programs: { ng: NG },
  prompts: [
    "Heap snapshots show every page we ever opened still alive after an hour of clicking around. All our components do a bare .subscribe() in ngOnInit. Please convert them to takeUntilDestroyed, all of them except src/app/legacy (that gets deleted in two weeks, don't waste a line on it). Don't commit yet",
    'nice work. commit it one commit per feature folder pls, QA bisects by folder. and put sth in eslint so that it doesnt creep back in',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    const subscribe = (path: string) =>
      path === STOCK_TABLE ? '(f) => this.feed.rows(f))).subscribe(' : 'this.feed.changes$.subscribe(';
    const ended = (path: string, argument: string) =>
      path === STOCK_TABLE
        ? `(f) => this.feed.rows(f)), takeUntilDestroyed(${argument})).subscribe(`
        : `this.feed.changes$.pipe(takeUntilDestroyed(${argument})).subscribe(`;
    const [first = '', ...rest] = paths;
    const convert = (path: string) => [
      edit(path, IMPORT, IMPORTS),
      edit(
        path,
        '  private feed = inject(Feed);\n',
        '  private feed = inject(Feed);\n  private destroyRef = inject(DestroyRef);\n',
      ),
      edit(path, subscribe(path), ended(path, 'this.destroyRef')),
    ];
    return {
      main: [
        [
          say("I'll count the offenders first so we have a number to compare against."),
          run(`node ${COUNT}`, 'Components without an end', '22 of 22 components'),
          run('grep -rn "extends " src/app --include=*.component.ts | wc -l', 'Any base classes?'),
        ],
        ...together(paths.map(read), 9),
        [
          say(
            'They all have the same shape. I considered a shared `Unsubscriber` base class, but half of these will have to extend CDK classes when the table work lands, and TypeScript allows only one parent. The async pipe would be the cleaner end state; it needs every template rewritten, so not in this change.',
          ),
          edit(first, IMPORT, IMPORTS),
          edit(
            first,
            'this.feed.changes$.subscribe(',
            'this.feed.changes$.pipe(takeUntilDestroyed()).subscribe(',
          ),
        ],
        [fail('ng test --watch=false', 'Try the first one', 'NG0203')],
        [
          say(
            'As the error says, `takeUntilDestroyed()` without an argument needs an injection context. In `ngOnInit` there is none, so a `DestroyRef` has to be injected as a field and passed in.',
          ),
          edit(first, 'takeUntilDestroyed()', 'takeUntilDestroyed(this.destroyRef)'),
          edit(
            first,
            '  private feed = inject(Feed);\n',
            '  private feed = inject(Feed);\n  private destroyRef = inject(DestroyRef);\n',
          ),
        ],
        [run('ng test --watch=false', 'Again', '431 SUCCESS')],
        [say('That works. Now the other 21, folder by folder.'), ...convert(rest[0] ?? '')],
        ...together(rest.slice(1).flatMap(convert), 9),
        [fail('ng test --watch=false', 'All converted', 'keeps uploading after the person navigates away')],
        [
          say(
            'This red test is right and my edit is wrong. `upload-progress` drives the upload from its subscription: ending it on destroy cancels the remaining parts as soon as somebody leaves the page. It has to outlive the component, so I take that one back.',
          ),
          run(`git checkout ${PROGRESS}`, 'Take back upload-progress'),
        ],
        [
          run('ng test --watch=false', 'Tests', '431 SUCCESS'),
          run(`node ${COUNT}`, 'Count again', '1 of 22 components'),
        ],
        [
          say(`## Done: 21 of 22 components converted

All 431 tests pass. Nothing is committed, and \`src/app/legacy\` is untouched.

### What changed
Every component injects \`DestroyRef\` and pipes through \`takeUntilDestroyed(this.destroyRef)\` before \`subscribe\`.

### Things worth knowing
1. **Pass the \`DestroyRef\` explicitly.** Without an argument, \`takeUntilDestroyed()\` only works in an injection context; in \`ngOnInit\` it throws NG0203.
2. **It has to be the last operator.** In \`stock-table\` it comes after the \`switchMap\`; in front of it the inner \`rows()\` request would stay subscribed.
3. **\`upload-progress\` is left alone on purpose.** Its subscription *is* the upload: with \`takeUntilDestroyed\`, navigating away cancelled the remaining parts (1 of 3 sent). The proper fix is to move the upload into a root service; then the component can be converted too.

### Why not something else
- A base class was rejected because components will need to extend CDK classes.
- The async pipe would be nicer but means rewriting all templates.

I haven't taken a new heap snapshot, so the leak itself is not yet verified as gone.`),
        ],
        [read(LINT), run('git status --short | wc -l', 'Changed files', '21')],
        [
          edit(
            LINT,
            'rules: {}',
            `rules: {\n    // A subscription without an end keeps its component alive.\n    'rxjs-angular-x/prefer-takeuntil': ['error', { alias: ['takeUntilDestroyed'] }],\n  }`,
          ),
          run(
            [
              ...Object.keys(FEATURES).map(
                (feature) =>
                  `git add src/app/${feature} && git commit -qm "refactor(${feature}): end subscriptions with their component"`,
              ),
              `git add ${LINT} && git commit -qm "build(eslint): require takeUntilDestroyed"`,
              'git log --oneline | wc -l',
            ].join(' && '),
            'One commit per folder',
            '7',
          ),
        ],
        [
          say(
            'Six commits: `refactor(orders|billing|stock|uploads|reports)` and one for ESLint. The rule is `rxjs-angular-x/prefer-takeuntil` as an error with `takeUntilDestroyed` as alias. `upload-progress` will be flagged by it until the upload moves to a service, so it needs a disable comment or that fix before CI is switched to fail on lint.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'refactor', 'bugfix'],
        says: ['takeUntilDestroyed', 'NG0203', /injection context/, 'ngOnInit'],
      },
      {
        type: ['gotcha', 'decision', 'discovery', 'refactor'],
        says: ['upload-progress', /cancel/, /navigat|leaves the page|on purpose/],
      },
      {
        type: ['gotcha', 'discovery', 'refactor', 'how-it-works'],
        says: [/last operator/, 'switchMap'],
      },
      { type: ['decision', 'refactor', 'discovery'], says: [/base class/, 'CDK'] },
      { type: ['preference', 'decision'], says: [/one commit per feature folder/, /bisect/] },
    ],
    niceToHave: [
      { type: ['refactor', 'change'], says: ['takeUntilDestroyed', 'DestroyRef'], files: [STOCK_TABLE] },
      { type: ['preference', 'decision'], says: ['src/app/legacy', /deleted in two weeks/] },
      { type: ['decision', 'refactor', 'discovery'], says: [/async pipe/, /templates?/] },
      { type: ['change', 'feature', 'decision', 'gotcha'], says: ['prefer-takeuntil'], prompt: 2 },
      { type: ['discovery', 'gotcha', 'refactor'], says: [/heap snapshot/, /not yet verified|verified/] },
      {
        type: ['discovery', 'bugfix', 'refactor', 'change', 'gotcha'],
        says: [/root service|moves to a service/, /upload/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['takeUntilDestroyed'],
        learned: [/NG0203|last operator|upload-progress/],
        completed: [/21 of 22|DestroyRef/],
        filesModified: [STOCK_TABLE, fileOf('reports', 'sales-chart')],
      },
      {
        prompt: 2,
        request: ['one commit per feature folder'],
        completed: [/eslint|six commits|prefer-takeuntil/],
        filesModified: [LINT],
      },
    ],
    noise: [
      'nice work',
      'so we have a number to compare',
      'Now the other 21',
      'Expected 3 parts',
      'git status --short',
    ],
    untrue: [
      /all 22 components (are|were) converted/,
      /leak (is|was) (gone|fixed|verified)/,
      /upload-progress (is|was) converted/,
      /legacy[^.]{0,20}(converted|refactored)/,
    ],
    followUps: [
      {
        asks: 'I get an error about being outside of an injection context when I clean up an observable in a lifecycle hook. How do we do it here?',
        says: [/DestroyRef/],
      },
      {
        asks: "one file transfer widget is the odd one out and never tears down its stream. bug? I'd like to make it consistent with the rest",
        says: ['upload-progress', /cancel/],
      },
      {
        asks: 'Would it make sense to have all screens inherit their teardown logic from a common parent?',
        says: ['CDK'],
      },
      {
        asks: 'How should I slice the history when I touch several areas of the app at once?',
        says: [/per feature folder/],
      },
    ],
    unrelated: [
      'Add German translations for the login screen',
      'the docker build of the frontend takes 11 minutes, why?',
      'Which Node version do we run in production?',
    ],
  },
};
