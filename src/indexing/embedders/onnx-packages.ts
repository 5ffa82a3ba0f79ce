import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { EmbedderError } from './embedder.ts';

/** The used part of onnxruntime-node or onnxruntime-web. */
export interface OnnxRuntime {
  InferenceSession: { create(model: string | Uint8Array): Promise<OnnxSession> };
  Tensor: new (type: 'int64', numbers: BigInt64Array, dims: number[]) => OnnxTensor;
}

export interface OnnxSession {
  inputNames: readonly string[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
}

export interface OnnxTensor {
  dims: readonly number[];
  data: unknown;
}

/** The used part of @huggingface/tokenizers. */
export interface TokenizerPackage {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { ids: number[] } };
}

export interface OnnxPackages {
  runtime: OnnxRuntime;
  /** False for the runtime for browsers, which has no file system. */
  takesPaths: boolean;
  tokenizers: TokenizerPackage;
}

/** The packages are too large for a dependency. The person installs them next to Cairn or in the model's folder. */
export function loadOnnxPackages(folder: string): OnnxPackages {
  const places = [import.meta.filename, join(resolve(folder), 'model.onnx')];
  const native = loadFrom<OnnxRuntime>(places, 'onnxruntime-node');
  const runtime = native ?? loadFrom<OnnxRuntime>(places, 'onnxruntime-web');
  const tokenizers = loadFrom<TokenizerPackage>(places, '@huggingface/tokenizers');
  if (runtime && tokenizers) return { runtime, takesPaths: native !== null, tokenizers };
  const missing = [
    ...(runtime ? [] : ['onnxruntime-node']),
    ...(tokenizers ? [] : ['@huggingface/tokenizers']),
  ];
  throw new EmbedderError(
    'lasting',
    `embedder.provider is onnx, but ${missing.join(' and ')} cannot be loaded. Install: npm install -g ${missing.join(' ')}`,
  );
}

/** @returns null if the package is not installed, or not for this system. */
function loadFrom<T>(places: string[], name: string): T | null {
  for (const place of places) {
    try {
      return createRequire(place)(name);
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
