import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../../src/model/json.ts';

/** One answer of the model: its content blocks in order. */
export type Turn = Block[];

export type Block =
  | { text: string }
  | { thinking: string }
  /** Without an id the call gets a random one. */
  | { tool: string; input: JsonObject; id?: string }
  /** No content: the message reports this many tokens of the window as used, instead of the usual few. */
  | { windowTokens: number };

const OUTPUT_TOKENS = 50;

/** A turn as a complete message of the Messages API. */
export function messageFor(turn: Turn, body: JsonObject, number: number): JsonObject {
  const content = turn.flatMap(contentBlock);
  const filled = turn.find((block) => 'windowTokens' in block)?.windowTokens;
  return {
    id: `msg_scripted${String(number).padStart(4, '0')}`,
    type: 'message',
    role: 'assistant',
    model: body.model ?? 'scripted',
    content,
    stop_reason: content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: filled === undefined ? 100 : filled - OUTPUT_TOKENS,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: OUTPUT_TOKENS,
    },
  };
}

function contentBlock(block: Block): JsonObject[] {
  if ('windowTokens' in block) return [];
  if ('text' in block) return [{ type: 'text', text: block.text }];
  if ('thinking' in block) return [{ type: 'thinking', thinking: block.thinking, signature: 'scripted' }];
  const id = block.id ?? `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  return [{ type: 'tool_use', id, name: block.tool, input: block.input }];
}

/** Sends a message as the events of a stream. */
export function streamMessage(message: JsonObject, response: ServerResponse): void {
  const send = (type: string, fields: JsonObject) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  const content = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  for (const [index, block] of content.entries()) {
    const { opened, deltas } = streamedBlock(block);
    send('content_block_start', { index, content_block: opened });
    for (const delta of deltas) send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const delta = { stop_reason: message.stop_reason ?? null, stop_sequence: null };
  send('message_delta', { delta, usage: message.usage ?? null });
  send('message_stop', {});
  response.end();
}

/** A block as it is streamed: opened empty, then filled by deltas. */
function streamedBlock(block: JsonObject): { opened: JsonObject; deltas: JsonObject[] } {
  if (block.type === 'text') {
    const deltas = [{ type: 'text_delta', text: block.text ?? '' }];
    return { opened: { ...block, text: '' }, deltas };
  }
  if (block.type === 'thinking') {
    const thinking = { type: 'thinking_delta', thinking: block.thinking ?? '' };
    const signature = { type: 'signature_delta', signature: block.signature ?? '' };
    return { opened: { ...block, thinking: '', signature: '' }, deltas: [thinking, signature] };
  }
  const deltas = [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  return { opened: { ...block, input: {} }, deltas };
}
