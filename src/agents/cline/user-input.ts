/** The person's text in a message: `<user_input mode="act">…</user_input>`. */
export function readUserInput(words: string): { text: string; mode?: string } | undefined {
  const [, mode, text] = /<user_input(?: mode="(\w+)")?>([\s\S]*?)<\/user_input>/.exec(words) ?? [];
  if (text === undefined) return undefined;
  return { text, ...(mode !== undefined && { mode }) };
}
