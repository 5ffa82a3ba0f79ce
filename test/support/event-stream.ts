import { until } from './until.ts';

export interface StreamMessage {
  id: number;
  event: string;
  data: unknown;
}

/** Reads server-sent events as a page does: by fetch, with a header. */
export async function openEventStream(
  url: string,
  headers: Record<string, string>,
): Promise<{
  status: number;
  messages: StreamMessage[];
  /** Waits for the next unread message that matches. */
  next(what: string, isWanted: (message: StreamMessage) => boolean): Promise<StreamMessage>;
  /** Resolves when the server ends the stream. */
  end: Promise<void>;
  close(): void;
}> {
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  const messages: StreamMessage[] = [];
  let read = 0;
  const end = response.status === 200 ? collect(response, messages).catch(() => {}) : Promise.resolve();
  return {
    status: response.status,
    messages,
    next: (what, isWanted) =>
      until(what, () => {
        while (read < messages.length) {
          const message = messages[read++];
          if (message && isWanted(message)) return message;
        }
        return undefined;
      }),
    end,
    close: () => stop.abort(),
  };
}

async function collect(response: Response, messages: StreamMessage[]): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(part.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]));
      const data = fields.get('data');
      if (data !== undefined)
        messages.push({
          id: Number(fields.get('id')),
          event: fields.get('event') ?? '',
          data: JSON.parse(data),
        });
    }
  }
}
