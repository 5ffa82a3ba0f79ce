import type { EmbedderAccess } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import { type Embedder, EmbedderError } from './embedder.ts';
import { onnxEmbedder } from './onnx.ts';
import { openAiEmbedder } from './openai.ts';

export type EmbedderSettings = Pick<
  Settings,
  'embedder.provider' | 'embedder.baseUrl' | 'embedder.model' | 'embedder.folder'
>;

const OPENAI = 'https://api.openai.com/v1';

/** The configured embedder, or null. @throws EmbedderError if it cannot work with the current settings. */
export function createEmbedder(settings: EmbedderSettings, access: EmbedderAccess): Embedder | null {
  switch (settings['embedder.provider']) {
    case 'none':
      return null;
    case 'onnx':
      return onnxEmbedder(settings['embedder.folder']);
    case 'openai': {
      const model = settings['embedder.model'];
      if (!model) throw cannotWork('embedder.provider is openai, but no model is named. Set embedder.model.');
      const baseUrl = baseUrlFrom(settings['embedder.baseUrl'] || OPENAI);
      // OpenAI's key is not sent to other OpenAI-compatible servers.
      const isOpenAi = baseUrl.host === new URL(OPENAI).host;
      const apiKey = access.embedderApiKey ?? (isOpenAi ? access.openaiApiKey : undefined);
      if (isOpenAi && !apiKey)
        throw cannotWork(
          "The embedder's key is missing. Set CAIRN_EMBEDDER_API_KEY or OPENAI_API_KEY in the environment, then `cairn worker restart`.",
        );
      return openAiEmbedder({ model, baseUrl, apiKey });
    }
  }
}

function baseUrlFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw cannotWork(
      'The address of the embedder is not an http(s) URL. Check the setting embedder.baseUrl.',
    );
  if (url.username || url.password)
    throw cannotWork(
      'The address of the embedder must not contain a password. Keys come from the environment only.',
    );
  return url;
}

function cannotWork(message: string): EmbedderError {
  return new EmbedderError('lasting', message);
}
