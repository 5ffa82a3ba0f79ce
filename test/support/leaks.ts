import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface NamedSecret {
  name: string;
  secret: string;
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** How a file may contain it: plain, as JSON in a column, as JSON in JSON, or line by line. */
export function formsOf(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [...new Set([secret, once, twice, ...secret.split('\n')])];
}

/** `secret in file` for every secret that is in the content or the name of a file below the home. */
export function findLeaks(home: string, secrets: NamedSecret[]): string[] {
  return filesBelow(home).flatMap((path) => {
    const name = path.slice(home.length + 1);
    const bytes = Buffer.from(`${name}\n`).toString('latin1') + readFileSync(path, 'latin1');
    const isIn = (form: string) => bytes.includes(Buffer.from(form).toString('latin1'));
    return secrets
      .filter(({ secret }) => formsOf(secret).some(isIn))
      .map((secret) => `${secret.name} in ${name}`);
  });
}
