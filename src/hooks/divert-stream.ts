/** The methods of a stream that libraries, console and warnings use. */
export type Writer = Pick<NodeJS.WriteStream, 'write'>;

/** Passes all writes to the stream to `keep`, from its first use on. */
export function divertStream<Name extends 'stdout' | 'stderr'>(
  owner: { readonly [N in Name]: Writer },
  name: Name,
  keep: (bytes: Buffer) => void,
): () => void {
  const property = Object.getOwnPropertyDescriptor(owner, name);
  if (!property) return () => {};
  let undo: (() => void) | undefined;

  function open(): Writer {
    const stream: Writer = property?.get ? property.get.call(owner) : property?.value;
    if (!undo) {
      const realWrite = stream.write;
      stream.write = divertedWrite(keep);
      undo = () => {
        stream.write = realWrite;
      };
    }
    return stream;
  }

  Object.defineProperty(owner, name, { configurable: true, enumerable: true, get: open });
  return () => {
    undo?.();
    Object.defineProperty(owner, name, property);
  };
}

type Written = (error?: Error | null) => void;

function divertedWrite(keep: (bytes: Buffer) => void) {
  return (chunk: string | Uint8Array, second?: BufferEncoding | Written, third?: Written): boolean => {
    const encoding = typeof second === 'string' ? second : 'utf8';
    const written = typeof second === 'function' ? second : third;
    keep(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    if (written) process.nextTick(written);
    return true;
  };
}

/** Keeps the last `limit` bytes. */
export function createTail(limit: number) {
  let chunks: Buffer[] = [];
  let size = 0;

  function add(bytes: Buffer): void {
    chunks.push(bytes);
    size += bytes.length;
    for (let first = chunks[0]; first && size - first.length >= limit; first = chunks[0]) {
      size -= first.length;
      chunks.shift();
    }
  }

  /** Returns and clears what was kept. */
  function take(): Buffer {
    const all = Buffer.concat(chunks);
    chunks = [];
    size = 0;
    let start = Math.max(0, all.length - limit);
    if (start > 0) while (isInsideCharacter(all[start])) start += 1;
    return all.subarray(start);
  }

  return { add, take };
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
