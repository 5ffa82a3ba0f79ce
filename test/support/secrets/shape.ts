import type { Draw } from './draw.ts';

/** A kind of secret that can be drawn repeatedly with other values. */
export interface DrawnShape {
  name: string;
  draw: (draw: Draw) => { secret: string; text: string };
}

/** Shapes by name: how the secret is made, and the text around it. */
export type ShapeTable = Record<
  string,
  [secret: (draw: Draw) => string, text: (secret: string, draw: Draw) => string]
>;

export function shapesOf(table: ShapeTable): DrawnShape[] {
  return Object.entries(table).map(([name, [makeSecret, makeText]]) => ({
    name,
    draw: (draw) => {
      const secret = makeSecret(draw);
      return { secret, text: makeText(secret, draw) };
    },
  }));
}

/** Tokens with a recognisable form, in a sentence, command or line where people paste them. */
export function tokensOf(tokens: Record<string, (draw: Draw) => string>): DrawnShape[] {
  const sentences = [
    (it: string) => `use ${it} for this`,
    (it: string) => `\x1b[33m${it}\x1b[0m`,
    (it: string) => `curl https://api.example.com/v1 -H 'X-Thing: ${it}'`,
    (it: string) => `{"value":"${it}"}`,
    (it: string) => `- ${it}\n- next`,
    (it: string) => `output: ${it}, done`,
  ];
  return Object.entries(tokens).map(([name, makeSecret]) => ({
    name,
    draw: (draw) => {
      const secret = makeSecret(draw);
      const sentence = sentences[draw.random.below(sentences.length)] ?? String;
      return { secret, text: sentence(secret) };
    },
  }));
}
