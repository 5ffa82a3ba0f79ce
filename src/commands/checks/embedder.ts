import { counted } from '../../context/words.ts';
import { embedderTrouble } from '../../indexing/embedder-trouble.ts';
import type { VectorStore } from '../../store/store.ts';
import type { Call } from '../support/command.ts';
import { type Check, ok, warn } from './check.ts';

/** The embedding provider; nothing if none is configured. */
export function checkEmbedder(
  { paths, settings }: Pick<Call, 'paths' | 'settings'>,
  store: Pick<VectorStore, 'vectorIndex'>,
): Check[] {
  if (settings['embedder.provider'] === 'none') return [];
  const trouble = embedderTrouble(paths);
  if (trouble)
    return [
      warn(
        'embedder',
        `${trouble.why} Search uses words only`,
        'It is retried automatically. See docs/embeddings.md',
      ),
    ];
  const index = store.vectorIndex();
  if (!index) return [ok('embedder', `${settings['embedder.provider']}, not used yet`)];
  const waits = index.pending > 0 ? `, ${counted(index.pending, 'memory', 'memories')} to embed` : '';
  return [ok('embedder', `${index.embedder}${waits}`)];
}
