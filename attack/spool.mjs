import fs from 'node:fs';
import { join } from 'node:path';

/** Spool files that have their end mark, which is the file's own name: [{ name, text }]. */
export function completeSpoolFiles(home) {
  return spoolNames(home).flatMap((name) => {
    const text = readQuietly(join(home, 'spool', name));
    return text.endsWith(`\n#${name}\n`) ? [{ name, text }] : [];
  });
}

export function isInSpool(home, key) {
  const quoted = JSON.stringify(key);
  return completeSpoolFiles(home).some(({ text }) => text.includes(quoted));
}

function spoolNames(home) {
  try {
    return fs.readdirSync(join(home, 'spool')).filter((name) => name.includes('.'));
  } catch {
    return [];
  }
}

/** Intake may remove the file at any moment. */
function readQuietly(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
