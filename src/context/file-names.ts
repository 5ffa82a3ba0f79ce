/** Paths and file names in a prompt, with or without the agent's `@`. */
export function findFileNames(prompt: string): string[] {
  if (!/\.[A-Za-z]/.test(prompt)) return [];
  const found = prompt.matchAll(/(?<![\p{L}\p{N}_/.])@?((?:[\w.-]+\/)*[\w.-]+\.[A-Za-z]\w{0,5})(?![\w/])/gu);
  const paths = new Set([...found].map(([, path = '']) => path));
  // `e.g.` is not a file.
  return [...paths].filter((path) => !/^\w\.\w$/.test(path)).slice(0, 20);
}
