import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { field } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';

/** Tool results of Gemini CLI and its forks: `{ llmContent, returnDisplay, error? }`. */

/** The text for the model, without the marks around it and without information about the process. */
export function readShownText(response: Json | undefined): string {
  const shown = textOf(isObject(response) ? response.llmContent : response);
  return shown
    .replace(/^<untrusted_context>\n?/, '')
    .replace(/\n?<\/untrusted_context>$/, '')
    .replace(/^Command: [\s\S]*?\nDirectory: .*\n/, '')
    .replace(/^Output: (?:\(empty\))?/m, '')
    .replace(/^(?:Process Group PGID|Background PIDs|Exit Code|Signal|Error): (?:\(none\)|\d+)\n?/gm, '')
    .trimEnd();
}

/** The client reports a failed shell command as a success, with the exit code in the text. */
export function hasFailed(response: Json | undefined): boolean {
  if (field(response, 'error')) return true;
  const shown = textOf(isObject(response) ? response.llmContent : response);
  const code = /^Exit Code: (\d+)$/m.exec(shown.slice(-2_000))?.[1];
  return code !== undefined && code !== '0';
}

/** For a written file, its path and changed lines; otherwise the text. */
export function convertResponse(response: Json | undefined): Json {
  const display = field(response, 'returnDisplay');
  const diff = text(field(display, 'fileDiff'));
  if (!isObject(display) || diff === undefined) return readShownText(response);
  const isNew =
    display.isNewFile === true || display.originalContent === '' || display.originalContent === null;
  return {
    type: isNew ? 'create' : 'update',
    ...(display.filePath !== undefined && { filePath: display.filePath }),
    structuredPatch: readHunks(diff),
  };
}

function readHunks(diff: string): JsonObject[] {
  const [, ...hunks] = diff.split(/^@@.*@@.*\n/m);
  return hunks.map((hunk) => ({
    lines: hunk.split('\n').filter((line) => /^[-+ ]/.test(line)),
  }));
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content ?? null];
  return parts.flatMap((part) => text(part) ?? text(field(part, 'text')) ?? []).join('\n');
}
