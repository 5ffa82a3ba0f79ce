import fs from 'node:fs';
import { join } from 'node:path';
import { promptTexts } from '../database.mjs';
import { drain, runWorker } from '../sandbox.mjs';
import { createChannels } from '../secrets/channels.mjs';
import { LOOK_ALIKES } from '../secrets/look-alikes.mjs';
import * as named from '../secrets/named.mjs';
import * as transported from '../secrets/transported.mjs';
import { createValue } from '../secrets/values.mjs';
import { VENDOR_TOKENS } from '../secrets/vendors.mjs';

const FAMILIES = {
  'vendor tokens': VENDOR_TOKENS,
  'environment lines': named.ENVIRONMENT_LINES,
  YAML: named.YAML,
  JSON: named.JSON_TEXTS,
  code: named.CODE,
  prose: named.PROSE,
  'client options': transported.CLIENT_OPTIONS,
  'connection strings': transported.CONNECTION_STRINGS,
  'headers and cookies': transported.HEADERS_AND_COOKIES,
  'private keys': transported.PRIVATE_KEYS,
  'tables and output': transported.TABLES_AND_OUTPUT,
};
/** Half a secret is a leak, too, if it is too long for a coincidence. */
const SHORTEST_HALF = 8;

/**
 * Sends random secrets through every way into Cairn, then searches every byte below the home except the spool.
 * Look-alikes must stay unchanged.
 */
export async function attack({ tally, random, deadline, events, openSandbox }) {
  const sandbox = openSandbox('secrets');
  const channels = createChannels({ sandbox, tally, deadline });
  const rate = Math.min(1, events / 1_000);
  const planted = [];
  for (const [family, shapes] of Object.entries(FAMILIES))
    for (const [shape, spec, template] of shapes)
      for (const channel of channels) {
        if (!channel.takes(template) || !random.chance(rate * channel.rate)) continue;
        const secret = createValue(random, spec);
        planted.push({
          family,
          shape,
          channel: channel.name,
          secret,
          text: template.replace('§', () => secret),
        });
      }
  // Sent first, because look-alikes not sent within the time would count as lost.
  const prompts = channels.find(({ name }) => name === 'prompt');
  await prompts.send(LOOK_ALIKES.map((text) => ({ text, isWhole: true })));
  for (const channel of channels)
    await channel.send(planted.filter(({ channel: name }) => name === channel.name));
  await runWorker(sandbox);
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested');

  tally.count('tried', planted.length + LOOK_ALIKES.length);
  const texts = new Set(promptTexts(sandbox.home));
  for (const text of LOOK_ALIKES)
    if (texts.has(text)) tally.count('accepted');
    else tally.fail('lost', `a look-alike did not come back unchanged: ${text}`);
  const leaked = findLeaks(sandbox.home, planted);
  tally.count('leaked', leaked.size);
  tally.count('accepted', planted.length);
  return { leaks: countByFamily(planted, leaked) };
}

function findLeaks(home, planted) {
  const contents = filesBelow(home).map((path) => fs.readFileSync(path, 'latin1').toLowerCase());
  const everything = contents.join('\n');
  return new Set(
    planted.filter(({ secret }) => needlesOf(secret).some((needle) => everything.includes(needle))),
  );
}

function needlesOf(secret) {
  const half = Math.ceil(secret.length / 2);
  const halves = [secret.slice(0, half), secret.slice(-half)].filter(({ length }) => length >= SHORTEST_HALF);
  return [secret, ...halves].map((needle) => needle.toLowerCase());
}

/** Excludes the spool, which contains unredacted payloads. */
function filesBelow(home) {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.startsWith(join(home, 'spool/')));
}

function countByFamily(planted, leaked) {
  return Object.keys(FAMILIES).map((family) => {
    const inFamily = planted.filter((one) => one.family === family);
    const leaks = inFamily.filter((one) => leaked.has(one));
    const places = new Map();
    for (const { shape, channel } of leaks) places.set(shape, [...(places.get(shape) ?? []), channel]);
    const examples = [...places]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([shape, where]) => `${shape} (${where.length > 2 ? `${where.length} ways` : where.join(', ')})`);
    // A shape that leaks in few places leaks because of its value, so print the value.
    const samples = leaks
      .filter(({ shape }) => places.get(shape).length <= 2)
      .map(({ shape, channel, text }) => ({ shape, channel, text }));
    return { family, tried: inFamily.length, leaked: leaks.length, examples, samples };
  });
}
