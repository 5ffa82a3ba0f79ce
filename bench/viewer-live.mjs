import { setTimeout as wait } from 'node:timers/promises';
import { loadParts } from './product.mjs';

const CALLS = 20;
const MOST_WAIT_MS = 10_000;
const PROMPT = 'Count to twenty, one call each.';

/**
 * Runs a session of the real Claude Code while the feed is open, and measures from when a hook wrote its file until the
 * page has painted the event. @returns times in milliseconds.
 */
export async function measureLive(browser, { home, product, openLink }) {
  const { makeConnectedWorld, runSession } = await loadParts(`
    export { makeConnectedWorld } from './test/support/world.ts';
    export { runSession } from './test/support/claude-code.ts';
  `);
  const world = await makeConnectedWorld({ env: { CAIRN_HOME: home } });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(openLink().link);
    await page.locator('.feed .memory').first().waitFor();
    await page.evaluate(WATCH);
    const calls = Array.from({ length: CALLS }, (_, number) => nameCall(number));
    const { sessionId, exitCode } = await runSession(world, {
      script: {
        main: [
          // The next call ends after this one has been painted.
          ...calls.map((name) => [
            { tool: 'Bash', input: { command: `echo ${name}; sleep 1`, description: 'Count' } },
          ]),
          [{ tool: 'Bash', input: { command: 'sleep 1', description: 'Wait' } }],
          [
            {
              text: 'The build number must stay below 7070, because the label printer cannot print more digits.',
            },
          ],
        ],
      },
      prompts: [PROMPT],
    });
    if (exitCode !== 0) throw new Error(`The client ended with ${exitCode}.`);
    await page.locator('.memory', { hasText: '7070' }).first().waitFor({ timeout: MOST_WAIT_MS });
    await wait(500);
    const painted = await page.evaluate('window.painted');
    const stored = readStored(product, home, sessionId);
    return {
      prompt: findPaint(painted, PROMPT) - stored.promptAt,
      calls: calls.map((name) => findPaint(painted, name) - stored.atOf(name)),
      memory: findPaint(painted, '7070') - stored.endAt,
    };
  } finally {
    await page.close();
    await world.remove();
  }
}

const nameCall = (number) => `call-${number}-of-${CALLS}`;

/** Runs in the page: records each state of the feed with the time of the second frame after it appeared. */
const WATCH = `(() => {
  window.painted = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let last = '';
  const look = async () => {
    const text = [...document.querySelectorAll('.run, .memory')].slice(0, 8).map(({ textContent }) => textContent).join('\\n');
    if (text === last) return;
    last = text;
    await frame();
    await frame();
    window.painted.push({ at: Date.now(), text });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** The time of the first state that shows the text. */
function findPaint(painted, text) {
  const found = painted.find((state) => state.text.includes(text));
  if (!found) throw new Error(`The page did not show: ${text}`);
  return found.at;
}

/** The times at which the hooks of this session wrote their files. */
function readStored(product, home, sessionId) {
  const store = product.openSqliteStore(product.pathsOf(home).database);
  try {
    const session = store.listSessions({}, 10).find(({ agentSession }) => agentSession === sessionId);
    const [turn] = store.listTurns(session.id);
    const events = store.listEventsOfTurn(turn.id, 0, 1_000);
    return {
      promptAt: turn.openedAt,
      endAt: turn.closedAt,
      atOf: (name) =>
        events.find(({ kind, ...event }) => kind === 'tool-end' && JSON.stringify(event).includes(name)).at,
    };
  } finally {
    store.close();
  }
}
