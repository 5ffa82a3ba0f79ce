import { checkHook } from '../checks.mjs';
import { compareWithStore } from '../database.mjs';
import { createEvents } from '../events.mjs';
import { createFuzz } from '../payload-fuzz.mjs';
import { inParallel } from '../process.mjs';
import { callHook, drain } from '../sandbox.mjs';

const AT_ONCE = 4;
/** Every eighth payload is sound and has to arrive in spite of the others. */
const SOUND_EVERY = 8;

/** Sends anything to a hook's stdin. It must exit with 0 in time and print nothing or one JSON object; sound events arrive. */
export async function attack({ tally, random, deadline, events: count, openSandbox }) {
  const sandbox = openSandbox('hooks');
  const fuzz = createFuzz(random);
  const calls = Array.from({ length: Math.max(30, Math.ceil(count / 3)) }, (_, number) => fuzz(number));
  const sound = createEvents(random, Math.ceil(calls.length / SOUND_EVERY), { cwd: sandbox.project });
  const accepted = [];

  await inParallel(AT_ONCE, calls.entries(), deadline, async ([number, { event, bytes, how }]) => {
    tally.count('tried');
    const session = `fuzz-${number}`;
    if (checkHook(tally, `${event} (${how})`, await callHook(sandbox, event, bytes, { session })))
      tally.count('accepted');
    if (number % SOUND_EVERY !== 0) return;
    const item = sound[number / SOUND_EVERY];
    tally.count('tried');
    const result = await callHook(sandbox, item.event, item.payload, { session: item.session });
    if (!checkHook(tally, `${item.event} (sound)`, result)) return;
    tally.count('accepted');
    accepted.push(item);
  });
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested');
  compareWithStore(tally, sandbox.home, { sent: sound, accepted });
}
