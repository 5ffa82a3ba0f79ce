import { isObject } from '../../src/model/json.ts';
import { type Protocol, toEventStream } from './step-model.ts';

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };

/** Google's Gemini API. */
export const geminiModel: Protocol = {
  countResults(path, { contents }) {
    if (!path.includes(':streamGenerateContent')) return null;
    const parts = (Array.isArray(contents) ? contents : []).flatMap((content) =>
      isObject(content) && Array.isArray(content.parts) ? content.parts : [],
    );
    return parts.filter((part) => isObject(part) && part.functionResponse !== undefined).length;
  },
  format(step, id) {
    const part =
      'text' in step
        ? { text: step.text }
        : { functionCall: { id: `fc${id}`, name: step.tool, args: step.input } };
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: USAGE,
      modelVersion: 'fake',
      responseId: `r${id}`,
    };
    return { type: 'text/event-stream', body: toEventStream([answer]) };
  },
  /** Questions of the client: which model to take, who speaks next, how many tokens. */
  formatOther(path) {
    if (path.includes(':countTokens'))
      return { type: 'application/json', body: JSON.stringify({ totalTokens: 100 }) };
    if (!path.includes(':generateContent')) return null;
    const text = JSON.stringify({
      reasoning: 'x',
      model_choice: 'flash',
      complexity_score: 10,
      next_speaker: 'user',
    });
    const content = { role: 'model', parts: [{ text }] };
    return {
      type: 'application/json',
      body: JSON.stringify({
        candidates: [{ index: 0, content, finishReason: 'STOP' }],
        usageMetadata: USAGE,
      }),
    };
  },
};
