import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { type ChatProtocol, toEventStream, toJsonAnswer } from './chat-protocol.ts';

/** Google's Gemini API. */
export const geminiModel: ChatProtocol = {
  path: '',
  listResults(path, { contents }) {
    if (!path.includes(':streamGenerateContent')) return null;
    const parts = (Array.isArray(contents) ? contents : []).flatMap((content) =>
      isObject(content) && Array.isArray(content.parts) ? content.parts : [],
    );
    return parts.filter((part) => isObject(part) && part.functionResponse !== undefined);
  },
  formatStep(step, id) {
    const call =
      'text' in step ? step : { functionCall: { id: `fc${id}`, name: step.call, args: step.input } };
    return toEventStream([{ ...answerWith(call), modelVersion: 'scripted', responseId: `r${id}` }]);
  },
  /** Other requests of the client: token counts, the choice of a model, the next speaker. */
  formatOther(path) {
    if (path.includes(':countTokens')) return toJsonAnswer({ totalTokens: 100 });
    if (!path.includes(':generateContent')) return null;
    const choice = { reasoning: 'x', model_choice: 'flash', complexity_score: 10, next_speaker: 'user' };
    return toJsonAnswer(answerWith({ text: JSON.stringify(choice) }));
  },
};

function answerWith(part: Json): JsonObject {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  };
}
