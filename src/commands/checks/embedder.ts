import { formatCount } from '../../context/words.ts';
import { readEmbedderProblem } from '../../indexing/embedder-problem.ts';
import type { VectorStore } from '../../store/store.ts';
import type { Call } from '../support/command.ts';
import { type Check, ok, warn } from './check.ts';

/** The embedding provider; nothing if none is configured. */
export function checkEmbedder(
  { paths, settings }: Pick<Call, 'paths' | 'settings'>,
  store: Pick<VectorStore, 'getVectorIndex'>,
): Check[] {
  if (settings['embedder.provider'] === 'none') return [];
  const trouble = readEmbedderProblem(paths);
  if (trouble)
    return [
      warn(
        'embedder',
        `${trouble.why} Search uses words only`,
        'It is retried automatically. See docs/embeddings.md',
      ),
    ];
  const index = store.getVectorIndex();
  if (!index) return [ok('embedder', `${settings['embedder.provider']}, not used yet`)];
  const waits = index.pending > 0 ? `, ${formatCount(index.pending, 'memory', 'memories')} to embed` : '';
  return [ok('embedder', `${index.embedder}${waits}`)];
}
