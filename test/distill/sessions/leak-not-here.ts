import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

/** The listeners of the feed: what each is for and the event it listens to. */
const LISTENERS: [name: string, event: string, keeps: string][] = [
  ['badge', 'unread', 'the number in the tab title'],
  ['banner', 'notice', 'the yellow bar'],
  ['bookmark', 'saved', 'the star beside an article'],
  ['breaking', 'breaking', 'the red ticker'],
  ['clock', 'minute', 'the times such as "5 minutes ago"'],
  ['comments', 'comment', 'the number of comments'],
  ['consent', 'consent', 'which trackers may run'],
  ['darkmode', 'theme', 'the colours'],
  ['drafts', 'draft', 'unsent comments'],
  ['feedback', 'rated', 'thumbs up and down'],
  ['follow', 'followed', 'authors one follows'],
  ['fontsize', 'zoom', 'the size of the text'],
  ['history', 'opened', 'articles already read'],
  ['infinite', 'scrolled', 'the next page of the feed'],
  ['keyboard', 'key', 'shortcuts'],
  ['language', 'language', 'the edition'],
  ['live', 'score', 'live results'],
  ['login', 'login', 'the name in the corner'],
  ['mute', 'muted', 'authors one does not want to see'],
  ['offline', 'network', 'the offline note'],
  ['player', 'audio', 'the audio player'],
  ['search', 'typed', 'suggestions'],
  ['share', 'shared', 'share counts'],
  ['weather', 'weather', 'the weather box'],
];

const file = (name: string) => `src/listeners/${name}.js`;

export const leakNotHere: DistillSession = {
  name: 'leak not here',
  about: 'A long search for a memory leak with a negative result; nothing is changed.',
  long: true,
  files: {
    'package.json': '{ "name": "news-reader", "private": true, "type": "module" }\n',
    'src/bus.js': `import { EventEmitter } from 'node:events';

export const bus = new EventEmitter().setMaxListeners(50);
`,
    ...Object.fromEntries(
      LISTENERS.map(([name, event, keeps]) => [
        file(name),
        `import { bus } from '../bus.js';\n\n/** Keeps ${keeps} up to date. */\nexport function ${name}(view) {\n  const update = (value) => view.set('${name}', value);\n  bus.on('${event}', update);\n  return () => bus.off('${event}', update);\n}\n`,
      ]),
    ),
    'scripts/mount-rounds.mjs': `import { readdirSync } from 'node:fs';
import { bus } from '../src/bus.js';

const files = readdirSync('src/listeners');
const modules = await Promise.all(files.map((file) => import(\`../src/listeners/\${file}\`)));
const starts = modules.flatMap((module) => Object.values(module));
for (let round = 0; round < 2000; round++) {
  const stops = starts.map((start) => start(new Map()));
  for (const stop of stops) stop();
}
const left = bus.eventNames().reduce((sum, name) => sum + bus.listenerCount(name), 0);
console.log(\`\${starts.length} listeners, 2000 rounds, \${left} left on the bus\`);
`,
  },
  prompts: [
    'the tab of the news reader grows by 200 MB a day. someone said a listener in src/listeners is never removed. check every one of them',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say("I'll get an overview first."),
          run('ls src/listeners', 'List the listeners', 'weather.js'),
          read('src/bus.js'),
        ],
        ...together(LISTENERS.map(([name]) => read(file(name)))).map((turn, n) =>
          n === 0 ? [say('Let me read all of them, four at a time.'), ...turn] : turn,
        ),
        ...together(
          LISTENERS.map(([name, event]) =>
            run(`grep -n "off('${event}'" ${file(name)}`, `Where ${name} lets go of ${event}`, "bus.off('"),
          ),
          6,
        ),
        [
          say('Each of them has its counterpart. Now timers and caches.'),
          run('grep -rnE "setInterval|setTimeout" src', 'Look for timers'),
          run('grep -rnE "new (Map|Set|WeakMap)\\(" src', 'Look for caches that could grow'),
          run('grep -rn "addEventListener" src', 'Look for listeners on the page'),
        ],
        [read('scripts/mount-rounds.mjs')],
        [
          run(
            'node scripts/mount-rounds.mjs',
            'Mount and unmount everything 2000 times',
            '0 left on the bus',
          ),
          run('git status --short', 'Make sure nothing was changed'),
          run('git log --oneline -3 -- src/listeners', 'Recent changes to the listeners'),
        ],
        ...together(
          ['breaking', 'live', 'infinite', 'player', 'clock', 'weather'].map((name) =>
            run(
              `node --input-type=module -e "import { bus } from './src/bus.js'; import { ${name} } from './${file(name)}'; const stop = ${name}(new Map()); stop(); stop(); console.log('${name}', bus.eventNames().length)"`,
              `Stop ${name} twice and count`,
              `${name} 0`,
            ),
          ),
          3,
        ),
        [
          say(`The leak is **not** in \`src/listeners\`. I changed nothing.

What I checked:
- All 24 listeners: every \`bus.on\` has its \`bus.off\` with the same function, in the function that is returned.
- \`node scripts/mount-rounds.mjs\` mounts and unmounts all of them 2000 times; 0 listeners are left on the bus afterwards.
- There are no timers, no module-level \`Map\` or \`Set\`, and no \`addEventListener\` anywhere under \`src\`.

One thing that hides problems: \`src/bus.js\` sets \`setMaxListeners(50)\`, so Node's warning about too many listeners would only come at 51.

**Next:** the growth must come from the callers, most likely views that never call the returned stop function. A heap snapshot of a real tab after an hour would show which view holds on.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'discovery',
        says: [/not.{0,6} in .?src\/listeners/, /bus\.off|2000|0 listeners/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['setMaxListeners', /50|51/] },
      { type: ['how-it-works', 'discovery'], says: ['mount-rounds.mjs', '2000'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['200 MB a day'],
        investigated: [/24 listeners|src\/listeners/],
        learned: [/not.{0,6} in .?src\/listeners|every .?bus\.on/],
        nextSteps: [/heap snapshot|callers/],
        filesRead: ['src/bus.js', file('badge'), file('weather')],
      },
    ],
    noise: ['four at a time', 'has its counterpart', 'the yellow bar', /I'll get an overview/, 'view.set('],
  },
};
