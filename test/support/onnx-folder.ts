import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The runtime is too large to install for a test: small packages with the same interface replace it. */

/** Gives each token two numbers: its id, and 1. */
export const RUNTIME = `
  class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
  const asked = [];
  const session = {
    inputNames: ['input_ids', 'attention_mask', 'token_type_ids'],
    run: async (feeds) => {
      asked.push(Object.keys(feeds).sort().join() + ' ' + feeds.input_ids.type + ' ' + feeds.input_ids.dims);
      const ids = [...feeds.input_ids.data].map(Number);
      const data = Float32Array.from(ids.flatMap((id) => [id, 1]));
      return { last_hidden_state: new Tensor('float32', data, [1, ids.length, 2]) };
    },
  };
  const loads = [];
  module.exports = { Tensor, asked, loads, InferenceSession: { create: async (model) => (loads.push(model), session) } };`;
/** A token for each word, whose id is the word's length; 1 before and 2 after them. */
const TOKENIZERS = `
  exports.Tokenizer = class {
    constructor(tokenizer, config) { if (tokenizer.version !== '1.0' || !config) throw new Error('no tokenizer'); }
    encode(text) { return { ids: [1, ...text.split(' ').map((word) => word.length), 2] }; }
  };`;

/** A model with its runtime; a file with the content '' is left out. */
export function makeModelFolder(parent: string, files: Record<string, string> = {}): string {
  const folder = join(parent, 'little-model');
  const all: Record<string, string> = {
    'model.onnx': 'a model',
    'tokenizer.json': '{"version":"1.0"}',
    'node_modules/onnxruntime-node/index.js': RUNTIME,
    'node_modules/@huggingface/tokenizers/index.js': TOKENIZERS,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    if (text === '') continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
