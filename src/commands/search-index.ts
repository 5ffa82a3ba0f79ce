import { redactValue } from '../capture/redact/redact-value.ts';
import { counted } from '../context/words.ts';
import { rebuildIndex } from '../indexing/bring-up-to-date.ts';
import { clearEmbedderTrouble, embedderTrouble } from '../indexing/embedder-trouble.ts';
import { startDetached } from '../platform/detach.ts';
import { workerProgram } from '../platform/installation.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';
import { withMemory } from './memory.ts';
import { nearest } from './nearest.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'index',
  summary: 'What search goes by, words and meanings: how far it is, and all of it anew',
  usage: 'index [status] [--json]\nindex rebuild [--json]',
  help: [
    'The index is made of what is stored and can always be made again; nothing is lost with it.',
    'Meanings are there only where an embedder is configured (embedder.provider); the worker makes them.',
  ].join('\n'),
  options: { json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const [action = 'status'] = call.positionals;
    if (action === 'status') return readMemory(call, (store) => status(call, store));
    return withMemory(call, (store) => {
      switch (action) {
        case 'rebuild':
          return rebuild(call, store);
        default: {
          const meant = nearest(action, ['status', 'rebuild']);
          throw new UsageError(`"cairn index" cannot ${action}.${meant ? ` Did you mean ${meant}?` : ''}`);
        }
      }
    });
  },
};

function status(call: Call, store: Store): number {
  const waiting = store.pendingSearchDocs();
  const meanings = meaningsIn(call, store);
  if (call.options.json) {
    printJson(call, { words: { waiting }, meanings });
    return 0;
  }
  call.out(`words     ${waiting === 0 ? 'up to date' : `${waiting} to index`}`);
  if (!meanings) {
    call.out('meanings  none: no embedder is configured (embedder.provider)');
    return 0;
  }
  const { embedder, dimension, vectors, waiting: missing, trouble } = meanings;
  const size = dimension === null ? '' : `, ${dimension} numbers each`;
  call.out(
    `meanings  ${vectors} by ${embedder ?? 'nobody yet'}${size}${missing > 0 ? `, ${missing} to make` : ''}`,
  );
  if (trouble) call.out(`${call.paint.yellow('!')} ${trouble} It is tried again by itself.`);
  return 0;
}

/** Words at once; meanings by the worker, which has the time. */
function rebuild(call: Call, store: Store): number {
  const documents = rebuildIndex(store);
  const index = store.vectorIndex();
  const isWanted = call.settings['embedder.provider'] !== 'none';
  store.dropVectors();
  clearEmbedderTrouble(call.paths);
  if (isWanted) {
    if (index) store.beginVectors(redactValue(index.embedder), call.now());
    if (!call.env.startsNoWorker) startDetached(process.execPath, [workerProgram()]);
  }
  if (call.options.json) printJson(call, { documents, meanings: meaningsIn(call, store) });
  else {
    call.out(`${counted(documents, 'document')} indexed.`);
    if (isWanted)
      call.out('The worker makes the meanings anew; meanwhile search goes by words. See: cairn index');
  }
  return 0;
}

function meaningsIn({ paths, settings }: Call, store: Store) {
  if (settings['embedder.provider'] === 'none') return null;
  const index = store.vectorIndex();
  return {
    embedder: index?.embedder ?? null,
    dimension: index?.dimension ?? null,
    vectors: store.countVectors(),
    waiting: index?.pending ?? 0,
    trouble: embedderTrouble(paths)?.why ?? null,
  };
}
