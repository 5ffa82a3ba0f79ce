/** The shortest part of a secret that counts as leaked. */
const SHORTEST_PART = 6;

/** Whether a part of the secret survives that the text around it does not contain anyway. */
export function leaks(clean: string, secret: string, text: string): boolean {
  const around = text.split(secret).join('\0');
  const rest = clean.replaceAll(/\[redacted:[\w-]+\]/g, '\0');
  const length = Math.min(SHORTEST_PART, secret.length);
  for (let start = 0; start + length <= secret.length; start++) {
    const part = secret.slice(start, start + length);
    if (rest.includes(part) && !around.includes(part)) return true;
  }
  return false;
}
