import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const PARSER = 'src/parse-feed.js';
const OPEN = 'feeds/ready';

export const backgroundRun: DistillSession = {
  name: 'background run',
  about: 'A long check runs in the background; the machine reports its end, and that end is the news.',
  files: {
    'package.json': '{ "name": "feed-reader", "private": true, "type": "module" }\n',
    [PARSER]: `export function parseFeed(xml) {
  return [...xml.matchAll(/<title>(.*?)<\\/title>/g)].map(([, title]) => title);
}
`,
    'feeds/alpha.xml': '<title>One</title><title>Two</title>\n',
    'feeds/beta.xml': '<title>\nThree\n</title>\n',
    'scripts/check-feeds.mjs': `import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseFeed } from '../src/parse-feed.js';

// The crawler says when all feeds are there.
for (let tries = 0; tries < 300 && !existsSync('feeds/ready'); tries++) await pause(100);
for (const name of readdirSync('feeds').filter((each) => each.endsWith('.xml'))) {
  const count = parseFeed(readFileSync(\`feeds/\${name}\`, 'utf8')).length;
  console.log(\`\${count === 0 ? 'EMPTY' : 'ok'} \${name} \${count}\`);
}
`,
  },
  prompts: [
    'start scripts/check-feeds.mjs in the background, it waits for the crawler. tell me what it says when it is through',
  ],
  thenAppears: OPEN,
  script: (dir) => {
    const { run, read, background } = callsIn(dir);
    return {
      main: [
        [
          background(
            'node scripts/check-feeds.mjs > feeds.log',
            'Check all feeds when the crawler is through',
          ),
        ],
        [say('The check runs in the background and waits for the crawler. I will report when it has ended.')],
      ],
      notification: [
        [run('cat feeds.log', 'Read what the check says', 'EMPTY beta.xml 0'), read(PARSER)],
        [
          say(
            `The check is through: \`alpha.xml\` is fine (2 titles), \`beta.xml\` comes out **empty**.\n\nThe reason is \`parseFeed()\` in \`${PARSER}\`: its pattern uses \`.*?\`, and the dot does not match line breaks, so a title that stands on a line of its own is not found. The \`s\` flag would cure it; I have not changed anything, since you only asked for the check.`,
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha'],
        says: ['parseFeed', /line break/, 'beta.xml'],
        files: [PARSER],
      },
    ],
    summaries: [
      { prompt: 1, optional: true, request: ['check-feeds.mjs'] },
      { prompt: 2, learned: ['parseFeed', /line break/], filesRead: [PARSER] },
    ],
    noise: ['I will report when', '<task-notification', 'matchAll'],
    untrue: [/\bfixed\b/],
  },
};
