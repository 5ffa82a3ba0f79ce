import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

export const questionAnswered: DistillSession = {
  name: 'question answered',
  about: 'The person asks how something works; the agent reads the code and explains. Nothing is changed.',
  files: {
    'README.md': '# press\n\nTurns manuscripts into PDF files. `node src/worker.js` starts a worker.\n',
    'src/queue/claim.js': `const LEASE_MS = 90_000;

/** Takes the oldest job that is free, or whose holder has gone quiet. */
export function claim(jobs, worker, now) {
  const job = jobs.find((each) => each.state === 'waiting' || (each.state === 'held' && each.leaseEnds < now));
  if (!job) return null;
  job.attempts += 1;
  if (job.attempts > 5) {
    job.state = 'dead';
    return null;
  }
  Object.assign(job, { state: 'held', holder: worker, leaseEnds: now + LEASE_MS });
  return job;
}
`,
    'src/queue/renew.js': `import { LEASE_EVERY_MS } from './timing.js';

/** Keeps a job while its worker lives. */
export function renewing(job, now, every = setInterval) {
  return every(() => {
    job.leaseEnds = now() + 90_000;
  }, LEASE_EVERY_MS);
}
`,
    'src/queue/timing.js': 'export const LEASE_EVERY_MS = 30_000;\n',
    'src/worker.js': `import { claim } from './queue/claim.js';
import { renewing } from './queue/renew.js';
import { render } from './render.js';

export async function workOnce(jobs, name, now = Date.now) {
  const job = claim(jobs, name, now());
  if (!job) return false;
  const renewal = renewing(job, now);
  try {
    await render(job.manuscript);
    job.state = 'done';
  } finally {
    clearInterval(renewal);
  }
  return true;
}
`,
    'src/render.js': "export const render = async (manuscript) => '%PDF '.concat(manuscript);\n",
  },
  prompts: ['what happens to a job when the worker that has it crashes? does anybody pick it up again?'],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Great question! Let me look at the queue.'),
          run('grep -rn "lease\\|attempts" src', 'Find leases and attempts', 'src/queue/claim.js'),
        ],
        [read('src/queue/claim.js'), read('src/queue/renew.js'), read('src/worker.js')],
        [read('src/queue/timing.js'), read('src/render.js')],
        [
          say(`Yes: another worker picks it up, at the latest 90 seconds after the crash.

- \`claim()\` in \`src/queue/claim.js\` gives a worker a **lease** of 90 seconds (\`leaseEnds\`) and counts \`attempts\`.
- While the worker lives, \`renewing()\` in \`src/queue/renew.js\` extends the lease every 30 seconds (\`LEASE_EVERY_MS\`).
- When the worker dies the renewals stop. As soon as \`leaseEnds\` is in the past, the next \`claim()\` of any worker takes the job, although its state is still \`held\`.
- After 5 attempts the job becomes \`dead\` and is never tried again.

One thing you may not expect: a job whose \`render\` *throws* stays \`held\` as well. \`workOnce\` only clears the timer, so a failed job also waits for its lease to run out, and a failure is not told apart from a crash.

Let me know if you'd like me to change that.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'how-it-works',
        says: ['lease', '90 seconds', 'claim', /another worker|any worker/],
        files: ['src/queue/claim.js'],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['held', /throws|failed job|failure/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/worker .*crashes/],
        learned: ['lease', /90 seconds/],
        filesRead: ['src/queue/claim.js', 'src/queue/renew.js', 'src/worker.js'],
      },
    ],
    noise: ['Great question', "if you'd like me to", '%PDF', 'Object.assign'],
  },
};
