const SMALLEST = 256;
const LENGTH_BYTES = 4;

/** The server sees sizes. Padding in steps of a quarter hides most of them and costs at most that much. */
export function pad(plain: Uint8Array): Uint8Array {
  const size = plain.length + LENGTH_BYTES;
  const step = Math.max(SMALLEST, 2 ** (Math.floor(Math.log2(size)) - 2));
  const padded = Buffer.alloc(Math.ceil(size / step) * step);
  padded.writeUInt32BE(plain.length);
  padded.set(plain, LENGTH_BYTES);
  return padded;
}

/** @returns null if it was not padded by `pad`. */
export function unpad(padded: Uint8Array): Uint8Array | null {
  if (padded.length < LENGTH_BYTES) return null;
  const length = Buffer.from(padded.buffer, padded.byteOffset, padded.length).readUInt32BE();
  return length + LENGTH_BYTES <= padded.length ? padded.slice(LENGTH_BYTES, LENGTH_BYTES + length) : null;
}
