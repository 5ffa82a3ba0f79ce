/** Scales a vector to length 1, which makes the dot product the cosine; null for a zero vector. */
export function normaliseVector(vector: Float32Array): Float32Array | null {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}
