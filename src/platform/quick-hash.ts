/**
 * A 64-bit hash for texts. Use it only where no secret depends on it and forcing a collision has no benefit.
 * Loading node:crypto takes 6 ms, longer than most of a hook's work.
 */
export function quickHash(text: string): string {
  let one = 0x9e3779b9;
  let other = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0xc2b2ae35);
    // Multiplication alone never moves high bits down.
    other ^= other >>> 15;
  }
  return hex(mixBits(one ^ other)) + hex(mixBits(other ^ text.length));
}

/** The finalizer of MurmurHash3: every output bit depends on every input bit. */
function mixBits(bits: number): number {
  let made = bits ^ (bits >>> 16);
  made = Math.imul(made, 0x85ebca6b);
  made ^= made >>> 13;
  made = Math.imul(made, 0xc2b2ae35);
  return made ^ (made >>> 16);
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}
