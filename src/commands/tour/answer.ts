import { isObject, type Json } from '../../model/json.ts';

/** Splits a hook's output into the parts for the model and for the person. */
export function parseAnswer(stdout: string): { model: string; person: string } {
  const reply: Json = stdout ? JSON.parse(stdout) : {};
  const { systemMessage, hookSpecificOutput } = isObject(reply) ? reply : {};
  const context = isObject(hookSpecificOutput) ? hookSpecificOutput.additionalContext : undefined;
  return {
    model: typeof context === 'string' ? context : '',
    person: typeof systemMessage === 'string' ? systemMessage : '',
  };
}
