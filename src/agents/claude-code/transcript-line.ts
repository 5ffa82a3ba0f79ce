import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { AnswerPart } from '../agent.ts';
import { name, text } from '../dialect/wire.ts';
import { isMachinePrompt } from './machine-prompt.ts';

/**
 * The fields of a transcript line that Cairn reads. As with hook payloads, unknown kinds and fields of another type
 * are ignored.
 */
export interface WireLine {
  type?: Json;
  subtype?: Json;
  uuid?: Json;
  timestamp?: Json;
  promptId?: Json;
  cwd?: Json;
  gitBranch?: Json;
  permissionMode?: Json;
  agentId?: Json;
  isSidechain?: Json;
  isMeta?: Json;
  isCompactSummary?: Json;
  isVisibleInTranscriptOnly?: Json;
  isApiErrorMessage?: Json;
  error?: Json;
  promptSource?: Json;
  toolUseResult?: Json;
  toolDenialKind?: Json;
  /** On an interruption: the id of the answer in progress, so a call had started. */
  interruptedMessageId?: Json;
  compactMetadata?: Json;
  attachment?: Json;
  message?: Json;
}

export function timeOf(line: Json | WireLine): number | undefined {
  const timestamp = isObject(line) ? line.timestamp : undefined;
  const at = Date.parse(text(timestamp) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** The content as blocks; a plain text is one block. */
export function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

export function blocksOfType(blocks: JsonObject[], type: string): JsonObject[] {
  return blocks.filter((block) => block.type === type);
}

export function textsOf(blocks: JsonObject[]): string[] {
  return blocksOfType(blocks, 'text').flatMap((block) => text(block.text) ?? []);
}

export function readAnswer(line: Json): AnswerPart[] {
  if (!isObject(line) || line.isSidechain === true) return [];
  if (line.type === 'user') return startsTurn(line) ? [{ prompt: name(line.promptId) ?? null }] : [];
  if (line.type !== 'assistant' || line.isApiErrorMessage === true) return [];
  return blocksOf(isObject(line.message) ? line.message.content : undefined).flatMap(
    (block): AnswerPart[] => {
      const words = block.type === 'text' ? text(block.text) : undefined;
      if (words !== undefined) return [{ text: words }];
      const callId = block.type === 'tool_use' ? name(block.id) : undefined;
      return callId === undefined ? [] : [{ callId }];
    },
  );
}

/** Other lines of this type are results, the client's own texts, summaries and interruptions. */
function startsTurn(line: WireLine): boolean {
  if (line.isMeta === true || line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true)
    return false;
  const blocks = blocksOf(isObject(line.message) ? line.message.content : undefined);
  const texts = textsOf(blocks);
  if (texts.length === 0 || blocksOfType(blocks, 'tool_result').length > 0 || isInterruption(texts))
    return false;
  const { text: words, isMachine } = wordsOf(texts);
  return !isMachine || slashCommandIn(words) !== undefined;
}

/** The person's texts without the client's; the client's texts if there are no others. */
export function wordsOf(texts: string[]): { text: string; isMachine: boolean } {
  const personal = texts.filter((text) => !isMachinePrompt(text));
  return { text: (personal.length > 0 ? personal : texts).join('\n'), isMachine: personal.length === 0 };
}

/** A slash command as typed; the transcript stores it in tags. */
export function slashCommandIn(words: string): string | undefined {
  const command = /<command-name>\s*(\/?[^<\s]+)\s*<\/command-name>/.exec(words)?.[1];
  if (command === undefined) return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(words)?.[1]?.trim();
  return `/${command.replace(/^\//, '')}${args ? ` ${args}` : ''}`;
}

export function isInterruption(texts: string[]): boolean {
  return texts.some((text) => text.startsWith('[Request interrupted by user'));
}

/** The summary of a compaction, without the client's text around it. */
export function summaryIn(words: string): string {
  const whole = words.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '');
  const begins =
    /(?:^|\n)Summary:\n|covers the earlier portion of the conversation\.\s*|conversation is summarized below:\s*/.exec(
      whole,
    );
  const rest = begins ? whole.slice(begins.index + begins[0].length) : whole;
  const ends =
    /\n(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where)/.exec(
      rest,
    );
  return (ends ? rest.slice(0, ends.index) : rest)
    .replace(/^\s*Summary:\n/, '')
    .replace(/^\s*<analysis>[\s\S]*?<\/analysis>/, '')
    .replace(/^\s*Analysis:\n[\s\S]*?\nSummary:\n/, '')
    .trim();
}

export function triggerIn(compactMetadata: Json | undefined): string | undefined {
  return isObject(compactMetadata) ? name(compactMetadata.trigger) : undefined;
}
