import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfThere } from '../../platform/files.ts';
import { type Embedder, EmbedderError } from './embedder.ts';
import { loadOnnxPackages, type OnnxRuntime, type OnnxSession, type OnnxTensor } from './onnx-packages.ts';
import { addPrefix } from './prefixes.ts';
import { normaliseVector } from './unit-length.ts';

/** Longer texts are cut; common local models accept no more. */
const MOST_TOKENS = 512;

interface Loaded {
  session: OnnxSession;
  runtime: OnnxRuntime;
  idsOf(text: string): number[];
}

/** A model in a folder: `model.onnx` (or `onnx/model.onnx`) with `tokenizer.json`, in the layout of Hugging Face. */
export function onnxEmbedder(folder: string): Embedder {
  const name = basename(folder);
  const { model, size } = findModel(folder);
  return {
    // The size distinguishes models of the same name.
    id: `onnx:${name}:${size}`,
    async embed(texts, purpose, { timeoutMs, signal }) {
      const until = Date.now() + timeoutMs;
      const loaded = await loadOnce(folder, model);
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        if (Date.now() > until)
          throw new EmbedderError('passing', `${name} took more than ${timeoutMs / 1_000} s.`);
        vectors.push(await embedOne(loaded, addPrefix(text, name, purpose)));
      }
      return vectors;
    },
  };
}

/** Loaded once per process, because loading takes far longer than a query. */
const inMemory = new Map<string, Promise<Loaded>>();

async function loadOnce(folder: string, model: string): Promise<Loaded> {
  const loading = inMemory.get(model) ?? load(folder, model);
  inMemory.set(model, loading);
  try {
    return await loading;
  } catch (error) {
    inMemory.delete(model);
    throw error;
  }
}

function findModel(folder: string): { model: string; size: number } {
  for (const model of [join(folder, 'model.onnx'), join(folder, 'onnx/model.onnx')]) {
    const size = statSync(model, { throwIfNoEntry: false })?.size;
    if (size !== undefined) return { model, size };
  }
  throw new EmbedderError(
    'lasting',
    `There is no model.onnx in ${folder || 'the folder'}. Set embedder.folder to a folder with model.onnx and tokenizer.json.`,
  );
}

async function load(folder: string, model: string): Promise<Loaded> {
  const tokenizer = readIfThere(join(folder, 'tokenizer.json'));
  if (tokenizer === null)
    throw new EmbedderError('lasting', `There is no tokenizer.json in ${folder}, next to the model.`);
  const { runtime, takesPaths, tokenizers } = loadOnnxPackages(folder);
  try {
    const config = JSON.parse(readIfThere(join(folder, 'tokenizer_config.json')) ?? '{}');
    const made = new tokenizers.Tokenizer(JSON.parse(tokenizer), config);
    const most = Math.min(MOST_TOKENS, Number(config.model_max_length) || MOST_TOKENS);
    const session = await runtime.InferenceSession.create(takesPaths ? model : readFileSync(model));
    return { session, runtime, idsOf: (text) => cut(made.encode(text).ids, most) };
  } catch (error) {
    throw new EmbedderError('lasting', `The model in ${folder} cannot be loaded (${messageOf(error)}).`);
  }
}

/** The last token must stay: it ends the text. */
function cut(ids: number[], most: number): number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ...ids.slice(-1)];
}

async function embedOne({ session, runtime, idsOf }: Loaded, text: string): Promise<Float32Array> {
  const ids = idsOf(text);
  const tensor = (numbers: number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
  const known: Record<string, OnnxTensor> = {
    input_ids: tensor(ids),
    attention_mask: tensor(ids.map(() => 1)),
    token_type_ids: tensor(ids.map(() => 0)),
    position_ids: tensor(ids.map((_, at) => at)),
  };
  try {
    const feeds = Object.entries(known).filter(([name]) => session.inputNames.includes(name));
    const vector = poolVector(await session.run(Object.fromEntries(feeds)));
    if (vector) return vector;
  } catch (error) {
    throw new EmbedderError('lasting', `The model fails (${messageOf(error)}).`);
  }
  throw new EmbedderError('lasting', 'The model gives no vectors of texts. Is it an embedding model?');
}

/** The model's own sentence vector if it has one, else the mean over its tokens. */
function poolVector(outputs: Record<string, OnnxTensor>): Float32Array | null {
  const whole = outputs.sentence_embedding ?? outputs.last_hidden_state ?? Object.values(outputs)[0];
  if (!(whole?.data instanceof Float32Array)) return null;
  const size = whole.dims.at(-1) ?? 0;
  if (size === 0 || whole.data.length % size !== 0) return null;
  const mean = new Float32Array(size);
  for (const [at, value] of whole.data.entries()) mean[at % size] = (mean[at % size] ?? 0) + value;
  return normaliseVector(mean);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200);
}
