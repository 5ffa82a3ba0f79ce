export interface StreamMessage {
  id: string;
  event: string;
  data: string;
}

/** Parses server-sent events from pieces of text cut anywhere. EventSource cannot send the key. */
export function createStreamReader(onMessage: (message: StreamMessage) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message: StreamMessage = { id: '', event: '', data: '' };
      for (const line of block.split('\n')) {
        const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
        if (name === 'id' || name === 'event' || name === 'data') message[name] += value;
      }
      if (message.event !== '') onMessage(message);
    }
  };
}
