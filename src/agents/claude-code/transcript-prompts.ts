import { isObject } from '../../model/json.ts';
import type { TranscriptEvent } from '../agent.ts';
import { name } from '../dialect/wire.ts';
import { isMachinePrompt } from './machine-prompt.ts';
import { blocksOf, slashCommandIn, textsOf, type WireLine, wordsOf } from './transcript-line.ts';
import { eventOf, type Line, originOf, type ReaderState } from './transcript-state.ts';
import { endTurn } from './transcript-turns.ts';

/** A prompt ends the previous turn and starts one. */
export function readPrompt(state: ReaderState, line: Line, texts: string[]): TranscriptEvent[] {
  const { wire } = line;
  const words = wordsOf(texts);
  const command = slashCommandIn(words.text);
  const isMachine = command === undefined && (words.isMachine || wire.promptSource === 'system');
  // For example output of a command, which belongs to the previous prompt.
  if (isMachine && (wire.promptId === undefined || isOfOpenTurn(state, wire))) return [];
  const before = endTurn(state);
  const prompt = promptEvent(state, line, command ?? words.text, isMachine);
  state.openSince = line.start;
  state.turnPromptId = state.promptId;
  if (command === undefined) return [...before, prompt];
  state.slashCommand = prompt;
  return before;
}

/** A prompt that was sent while the agent was working. */
export function readQueuedPrompt(state: ReaderState, line: Line): TranscriptEvent[] {
  const { attachment } = line.wire;
  if (!isObject(attachment) || attachment.type !== 'queued_command' || line.isSubagent) return [];
  const words = textsOf(blocksOf(attachment.prompt)).join('\n');
  if (words === '') return [];
  const isNotification = isObject(attachment.origin) && attachment.origin.kind === 'task-notification';
  return [promptEvent(state, line, words, isNotification || isMachinePrompt(words))];
}

function promptEvent(state: ReaderState, line: Line, text: string, isMachine: boolean): TranscriptEvent {
  const origin = isMachine ? 'machine' : 'person';
  return eventOf(state, line, { kind: 'prompt', ...originOf(state, line), text, origin });
}

function isOfOpenTurn({ openSince, turnPromptId }: ReaderState, { promptId }: WireLine): boolean {
  return openSince !== null && name(promptId) === turnPromptId;
}
