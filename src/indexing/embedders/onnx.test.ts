import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeModelFolder, RUNTIME } from '../../../test/support/onnx-folder.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { EmbedderError } from './embedder.ts';
import { onnxEmbedder } from './onnx.ts';

const LIMITS = { timeoutMs: 30_000, signal: new AbortController().signal };

function modelFolder(files: Record<string, string> = {}): string {
  return makeModelFolder(tempFolder(), files);
}

function unit(...values: number[]): Float32Array {
  return Float32Array.from(values, (value) => value / Math.hypot(...values));
}

async function troubleOf(folder: string): Promise<string> {
  try {
    await onnxEmbedder(folder).embed(['a'], 'query', LIMITS);
    return 'none';
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    return `${error.kind}: ${error.message.replaceAll(folder, 'FOLDER')}`;
  }
}

test('returns the mean over the tokens, scaled to length 1', async () => {
  const folder = modelFolder();
  const embedder = onnxEmbedder(folder);
  expect(embedder.id).toBe('onnx:little-model:7');
  const vectors = await embedder.embed(['four five', 'seventh'], 'memory', LIMITS);
  expect(vectors[0]).toEqual(unit((1 + 4 + 4 + 2) / 4, 1));
  expect(vectors[1]).toEqual(unit((1 + 7 + 2) / 3, 1));
});

test('passes the inputs that the model requires, and loads it once', async () => {
  const folder = modelFolder();
  await onnxEmbedder(folder).embed(['a b'], 'memory', LIMITS);
  await onnxEmbedder(folder).embed(['a'], 'query', LIMITS);
  const { asked, loads } = await import(join(folder, 'node_modules/onnxruntime-node/index.js'));
  expect(asked).toEqual([
    'attention_mask,input_ids,token_type_ids int64 1,4',
    'attention_mask,input_ids,token_type_ids int64 1,3',
  ]);
  expect(loads).toEqual([join(folder, 'model.onnx')]);
});

test('uses the sentence vector if the model has one', async () => {
  const runtime = RUNTIME.replace(
    '{ last_hidden_state:',
    "{ sentence_embedding: new Tensor('float32', Float32Array.from([0, 5]), [1, 2]), last_hidden_state:",
  );
  const folder = modelFolder({ 'node_modules/onnxruntime-node/index.js': runtime });
  expect(await onnxEmbedder(folder).embed(['a'], 'query', LIMITS)).toEqual([unit(0, 1)]);
});

test('cuts texts that are too long for the model, and keeps the end token', async () => {
  const folder = modelFolder({ 'tokenizer_config.json': '{"model_max_length":4}' });
  const [vector] = await onnxEmbedder(folder).embed(['aaa bbb ccc ddd'], 'query', LIMITS);
  expect(vector).toEqual(unit((1 + 3 + 3 + 2) / 4, 1));
});

test('falls back to the runtime for browsers, which reads bytes', async () => {
  const folder = modelFolder({
    'node_modules/onnxruntime-node/index.js': 'throw new Error("not for this system")',
    'node_modules/onnxruntime-web/index.js': RUNTIME,
    'model.onnx': '',
    'onnx/model.onnx': 'bytes',
  });
  expect(await onnxEmbedder(folder).embed(['a'], 'query', LIMITS)).toHaveLength(1);
  const { loads } = await import(join(folder, 'node_modules/onnxruntime-web/index.js'));
  expect(loads.map(String)).toEqual(['bytes']);
});

test.each<{ name: string; files: Record<string, string>; says: string }>([
  {
    name: 'no packages',
    files: {
      'node_modules/onnxruntime-node/index.js': '',
      'node_modules/@huggingface/tokenizers/index.js': '',
    },
    says: 'lasting: embedder.provider is onnx, but onnxruntime-node and @huggingface/tokenizers cannot be loaded. Install: npm install -g onnxruntime-node @huggingface/tokenizers',
  },
  {
    name: 'no model',
    files: { 'model.onnx': '' },
    says: 'lasting: There is no model.onnx in FOLDER. Set embedder.folder to a folder with model.onnx and tokenizer.json.',
  },
  {
    name: 'no tokenizer',
    files: { 'tokenizer.json': '' },
    says: 'lasting: There is no tokenizer.json in FOLDER, next to the model.',
  },
  {
    name: 'a broken tokenizer',
    files: { 'tokenizer.json': '{}' },
    says: 'lasting: The model in FOLDER cannot be loaded (no tokenizer).',
  },
  {
    name: 'a model that fails',
    files: {
      'node_modules/onnxruntime-node/index.js': RUNTIME.replace(
        'asked.push',
        'throw new Error("bad\\n shape"); asked.push',
      ),
    },
    says: 'lasting: The model fails (bad shape).',
  },
  {
    name: 'a model of another kind',
    files: {
      'node_modules/onnxruntime-node/index.js': RUNTIME.replace(
        'Float32Array.from(ids.flatMap((id) => [id, 1]))',
        '"words"',
      ),
    },
    says: 'lasting: The model gives no vectors of texts. Is it an embedding model?',
  },
])('explains the problem: $name', async ({ files, says }) => {
  expect(await troubleOf(modelFolder(files))).toBe(says);
});
