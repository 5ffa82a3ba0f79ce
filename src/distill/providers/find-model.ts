import { isObject } from '../../model/json.ts';
import { findProgram } from '../../platform/installation.ts';

/** A model that is there already: nothing has to be installed, and no key has to be set. */
export type AvailableModel =
  | { provider: 'claude-cli' }
  | { provider: 'openai'; baseUrl: string; model: string };

/** Where Ollama and LM Studio listen. */
const LOCAL_SERVERS = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'];
const TIMEOUT_MS = 300;
const MOST_CHARS = 1_000_000;
/** Models that turn text into vectors, or sound into text, write no memories. */
const OTHER_PURPOSE = /embed|bge-|minilm|rerank|whisper|tts/i;

/** A local server first: what it is sent does not leave the machine. Null where there is neither. */
export async function findModel(
  searchPath: string,
  servers: string[] = LOCAL_SERVERS,
): Promise<AvailableModel | null> {
  const answers = await Promise.all(servers.map(firstModelOf));
  const [found] = answers.filter((answer) => answer !== null);
  if (found) return found;
  return findProgram('claude', searchPath) === null ? null : { provider: 'claude-cli' };
}

async function firstModelOf(baseUrl: string): Promise<AvailableModel | null> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok || text.length > MOST_CHARS) return null;
    const answer: unknown = JSON.parse(text);
    const list = isObject(answer) && Array.isArray(answer.data) ? answer.data : [];
    const model = list
      .map((each) => (isObject(each) ? each.id : undefined))
      .find((id) => typeof id === 'string' && id !== '' && id.length <= 200 && !OTHER_PURPOSE.test(id));
    return typeof model === 'string' ? { provider: 'openai', baseUrl, model } : null;
  } catch {
    // Nothing listens there, it is too slow, or it is another kind of server.
    return null;
  }
}
