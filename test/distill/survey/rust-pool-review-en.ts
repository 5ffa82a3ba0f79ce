import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const POOL = 'crates/store/src/pool.rs';
const AUDIT = 'Which binaries and tests of this workspace';

export const rustPoolReviewEn: SurveySession = {
  name: 'rust-pool-review-en',
  about:
    'Review of a connection pool: permit released too early, block_on in Drop (a subagent lists the runtimes), a semaphore worry that proved wrong; the poisoned mutex is on purpose.',
  kind: 'review',
  language: 'en',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': '[workspace]\nmembers = ["crates/store", "crates/server", "crates/cli"]\n',
    [POOL]: `use std::sync::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub struct Pool {
    idle: Mutex<Vec<Conn>>,
    slots: std::sync::Arc<Semaphore>,
}

impl Pool {
    pub async fn get(&self) -> Result<Guard<'_>, Error> {
        let permit = self.slots.clone().acquire_owned().await?;
        let conn = self.idle.lock().unwrap().pop();
        let conn = match conn {
            Some(conn) => conn,
            None => Conn::open().await?,
        };
        drop(permit);
        Ok(Guard { pool: self, conn: Some(conn) })
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(mut conn) = self.conn.take() {
            tokio::runtime::Handle::current().block_on(conn.reset()).ok();
            self.pool.idle.lock().unwrap().push(conn);
        }
    }
}
`,
    'crates/server/src/main.rs': '#[tokio::main]\nasync fn main() { server::run().await }\n',
    'crates/cli/src/main.rs':
      '#[tokio::main(flavor = "current_thread")]\nasync fn main() { cli::run().await }\n',
    'crates/cli/tests/export.rs': '#[tokio::test]\nasync fn exports_all_rows() {}\n',
  },
  programs: {
    gh: `#!/bin/sh
case "$1 $2" in
  "pr view") echo 'title: store: pool connections'; echo 'author: mkessler'; echo 'state: OPEN'; echo 'Replaces one connection per request. Max 16.' ;;
  "pr review") echo 'Requested changes on pull request #212' ;;
  *) echo "unknown command" >&2; exit 1 ;;
esac
`,
  },
  prompts: [
    "Can you review PR 212 (the connection pool)? Branch is checked out here. I care about correctness under load, Marta's going to merge it before Thursday's release",
    "Agree on 1 and 2. Drop 3 though: the unwrap on a poisoned mutex is deliberate, we'd rather crash than keep serving from a pool in an unknown state, that's the rule for all our locks. Also leave style remarks out of reviews, clippy and rustfmt own that. Post the rest as request-changes",
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll look at the PR description and the pool itself."),
          run('gh pr view 212', 'Show the PR', 'pool connections'),
          read(POOL),
        ],
        [
          say(
            "Two things jump out in `Guard::drop`. Before I call the `block_on` a bug I need to know which runtimes this code actually runs on, so I'm handing that search to a subagent.",
          ),
          delegate(
            'Find runtime flavors',
            `${AUDIT} run on a current-thread tokio runtime? Look at every #[tokio::main] and #[tokio::test] and report file and flavor.`,
          ),
        ],
        [
          say(
            'Meanwhile, one suspicion to settle: I thought `acquire_owned` might fail once the semaphore is closed on shutdown and turn into a 500. Checking whether anything ever closes it.',
          ),
          run(
            'grep -rn "slots.close\\|\\.close()" crates || echo "never closed"',
            'Is the semaphore closed?',
            'never closed',
          ),
        ],
        [
          say(`# Review of PR 212

## Blocking

**1. The pool does not limit anything.** In \`Pool::get\` the permit is dropped before the guard is returned. The semaphore only serialises *opening*, so under load there can be far more than 16 open connections; Postgres will refuse at its own \`max_connections\`. The permit has to live inside \`Guard\`.

**2. \`Handle::block_on\` inside \`Drop\` panics in async context, and the CLI would never get past it.** Tokio refuses to block a thread that is driving async tasks. The server hits the panic on the first dropped guard; \`crates/cli\` runs on a current-thread runtime, as do all \`#[tokio::test]\`s by default, so there is no second thread to reset the connection on. Reset lazily on the next \`get\` instead: mark the connection dirty in \`Drop\`, await \`reset()\` when it is handed out again.

## Non-blocking

3. \`idle.lock().unwrap()\` panics for ever once a thread panicked while holding the lock. Consider \`parking_lot\` or \`into_inner\`.
4. \`match conn\` could be \`if let … else\`, and \`Guard\` deserves a doc comment.

## Checked and fine

- I suspected \`acquire_owned\` to fail on a closed semaphore. Nothing in the workspace ever closes it, so the \`?\` is unreachable in practice.
- \`Conn::open\` failing releases the permit properly.

Do you want me to post this, or would you like to adjust it first?`),
        ],
        [
          run(
            `gh pr review 212 --request-changes --body "1. The permit is dropped before the guard is returned, so the limit of 16 is not enforced: move it into Guard. 2. block_on in Drop panics in async context: mark the connection dirty and reset it on the next get."`,
            'Post the review',
            'Requested changes',
          ),
        ],
        [
          say(
            "Posted as request-changes with the two blocking points; the mutex and the style remarks are out. Marta's merge is blocked until both are addressed. One thing the author should add: no test takes a 17th connection, which is why CI is green. Happy reviewing!",
          ),
        ],
      ],
      subagents: {
        [AUDIT]: [
          [run('grep -rn -A1 "tokio::main\\|tokio::test" crates', 'Find the runtimes', 'current_thread')],
          [
            say(
              'crates/server/src/main.rs: multi-thread (default). crates/cli/src/main.rs: flavor = "current_thread". crates/cli/tests/export.rs: #[tokio::test], which is current-thread unless told otherwise.',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha'],
        says: [/permit/, /dropped|before the guard|not limit|not enforced/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/block_on/, /Drop/, /panic|current[- ]thread/],
      },
      {
        type: ['preference', 'decision'],
        says: [/poisoned|unwrap/, /crash|deliberate/],
        prompt: 2,
      },
      { type: 'preference', says: [/style/, /clippy|rustfmt/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['discovery', 'how-it-works'], says: [/current[-_]thread/, /cli/], prompt: 1 },
      { type: ['discovery'], says: [/semaphore/, /close/], prompt: 1 },
      { type: ['discovery', 'gotcha'], says: [/17th/], prompt: 2 },
      { type: ['change', 'decision', 'discovery'], says: [/request-changes|requested changes/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: [/PR 212/], learned: [/permit|block_on/], filesRead: [POOL] },
      { prompt: 2, request: [/unwrap|Drop 3|request-changes/], completed: [/request-changes|posted/] },
    ],
    noise: [
      'Two things jump out',
      'handing that search to a subagent',
      'Do you want me to post this',
      'Happy reviewing',
      'deserves a doc comment',
    ],
    untrue: [
      /(replaced|switched) (the )?(mutex|unwrap|lock) (with|to) parking_lot/,
      /PR 212 (was|is|has been) (merged|approved)/,
      /permit (was|has been) moved into/,
    ],
    followUps: [
      {
        asks: "Should I get rid of the unwrap()s on our locks? Clippy pedantic doesn't like them",
        says: [/crash|deliberate/],
      },
      {
        asks: 'why does postgres complain about too many clients although we cap it at 16',
        says: [/permit/],
      },
      {
        asks: "I need to do async cleanup when a handle goes out of scope, what's the catch?",
        says: [/block_on/],
      },
      { asks: "I'm reviewing Jon's PR, is naming and formatting fair game for comments?", says: [/style/] },
      { asks: 'what did we object to in the pooling PR?', says: [/permit/, /block_on/] },
    ],
    unrelated: [
      'add a --quiet flag to the export command',
      'bump serde to the latest 1.x',
      'write the changelog entry for the CSV importer',
    ],
  },
};
