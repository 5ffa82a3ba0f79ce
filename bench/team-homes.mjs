import { join } from 'node:path';
import { workFolder } from './home.mjs';

const WORDS_OF_A_MEMORY = 120;
const VOCABULARY = 20_000;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NOT_MARKED = () => ({ marks: [], weight: 1 });

/**
 * The times of two machines of a team with the same memories: one sends them, the other receives and searches them. In
 * an encrypted team the server cannot search, so `--team` searches what the machine has.
 */
export async function measureHomes(product, { credentials, join: joinTeam }, { size, runs, isEncrypted }) {
  const sender = await makeHome(product, credentials, 'laptop');
  const now = Date.now();
  sender.store.runInTransaction(() => {
    for (let at = 0; at < size; at++) sender.store.addNote(makeNote(at), now);
  });
  const projectId = sender.store.findProject(PLACE).id;
  const key = product.keyOfRemote(PLACE.remote);
  product.shareProjectWithTeam(sender.store, { projectId, key, withPast: true, now });
  const sent = await timed(() => sync(product, sender));
  await sender.feed.close();

  const receiver = await makeHome(product, await joinTeam(), 'desk');
  const received = await timed(() => sync(product, receiver));
  product.updateIndex(receiver.store);
  const search = [];
  for (let run = 0; run < runs; run++) {
    const text = makeQuestion(Math.floor(Math.random() * size));
    const request = { text, projectId, limit: 20, now };
    search.push(
      await timed(async () => {
        const { hits } = isEncrypted
          ? { hits: product.recall(receiver.store, { ...request, reach: 'all' }) }
          : await product.searchTeam(receiver.store, receiver.feed, request, NOT_MARKED);
        if (hits.length === 0) throw new Error(`Nothing was found for: ${text}`);
      }),
    );
  }
  await receiver.feed.close();
  for (const { store } of [sender, receiver]) store.close();
  return { sent, received, search };
}

const PLACE = {
  path: '/home/bench/shop/.git',
  name: 'shop',
  remote: 'https://git.example.com/team/shop.git',
};

async function makeHome(product, credentials, machine) {
  const paths = product.pathsOf(join(workFolder(), machine));
  const { settings } = product.loadSettings(paths.config, product.readEnvironment({ HOME: paths.home }));
  const store = product.openSqliteStore(paths.database);
  await product.enterTeam(store, credentials, machine, Date.now());
  const options = { store, paths, settings, log: SILENT, now: Date.now, here: PLACE };
  return { store, options, feed: product.openFeed(credentials) };
}

async function sync({ syncTeam }, { options, feed }) {
  const { problem } = await syncTeam(options, feed);
  if (problem) throw new Error(problem.message);
}

function makeNote(number) {
  const words = Array.from({ length: WORDS_OF_A_MEMORY }, (_, at) => wordAt(number, at)).join(' ');
  return {
    ...{ type: null, title: `Memory ${number}`, narrative: words, aliases: [], files: [], pins: [] },
    ...{ saidBy: 'person', isPinned: false, scope: 'project', place: PLACE },
  };
}

/** Three words of one memory, for a question about it. */
function makeQuestion(number) {
  return [3, 40, 90].map((at) => wordAt(number, at)).join(' ');
}

/** A few words are frequent, most are rare. The same number always has the same words. */
function wordAt(number, at) {
  const share = ((number * 7919 + at * 104_729 + (number % 97) * (at + 1) * 31) % 100_003) / 100_003;
  return `w${Math.floor(VOCABULARY * share ** 3).toString(36)}x`;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
