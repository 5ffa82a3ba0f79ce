import { redactValue } from '../capture/redact/redact-value.ts';
import { formatCount } from '../context/words.ts';
import { clearEmbedderProblem, readEmbedderProblem } from '../indexing/embedder-problem.ts';
import { rebuildIndex } from '../indexing/update-index.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { wakeWorker } from '../platform/start-worker.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory, withMemory } from './support/memory.ts';
import { printWrapped } from './support/rows.ts';
import { selectSubcommand } from './support/usage.ts';

export const command: Command = {
  name: 'index',
  summary: 'Manage the search index',
  usage: 'index [status] [--json]\nindex rebuild [--json]',
  help: [
    'The index is built from stored memories and can be rebuilt at any time; nothing is lost.',
    'The worker adds embeddings if an embedding provider is configured (embedder.provider).',
  ].join('\n'),
  options: { json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const [action = 'status'] = call.positionals;
    const act = selectSubcommand({ status, rebuild }, action);
    const use = act === status ? readMemory : withMemory;
    return use(call, (store) => act(call, store));
  },
};

function status(call: Call, store: Store): number {
  const waiting = store.countPendingDocs();
  const meanings = meaningsIn(call, store);
  if (call.options.json) {
    printJson(call, { words: { waiting }, meanings });
    return 0;
  }
  call.out(`words       ${waiting === 0 ? 'up to date' : `${waiting} to index`}`);
  if (!meanings) {
    printWrapped(call, 'embeddings  none: no embedding provider is configured (embedder.provider)', 12);
    return 0;
  }
  const { embedder, dimension, vectors, waiting: missing, trouble } = meanings;
  const size = dimension === null ? '' : `, ${dimension} dimensions`;
  printWrapped(
    call,
    `embeddings  ${vectors} by ${embedder ?? '(none yet)'}${size}${missing > 0 ? `, ${missing} pending` : ''}`,
    12,
  );
  if (trouble) printWrapped(call, `${call.paint.yellow('!')} ${trouble} It is retried automatically.`, 2);
  return 0;
}

/** Rebuilds the word index now; the worker computes the embeddings, which takes longer. */
function rebuild(call: Call, store: Store): number {
  const documents = rebuildIndex(store);
  const index = store.getVectorIndex();
  const isWanted = call.settings['embedder.provider'] !== 'none';
  store.dropVectors();
  clearEmbedderProblem(call.paths);
  if (isWanted) {
    if (index) store.startVectorIndex(redactValue(index.embedder), call.now());
    wakeWorker(call.env);
  }
  if (call.options.json) printJson(call, { documents, meanings: meaningsIn(call, store) });
  else {
    call.out(`${formatCount(documents, 'document')} indexed.`);
    if (isWanted)
      call.out(
        withCairnCommand(
          'The worker rebuilds the embeddings; until then search uses words only. See: cairn index',
        ),
      );
  }
  return 0;
}

function meaningsIn({ paths, settings }: Call, store: Store) {
  if (settings['embedder.provider'] === 'none') return null;
  const index = store.getVectorIndex();
  return {
    embedder: index?.embedder ?? null,
    dimension: index?.dimension ?? null,
    vectors: store.countVectors(),
    waiting: index?.pending ?? 0,
    trouble: readEmbedderProblem(paths)?.why ?? null,
  };
}
