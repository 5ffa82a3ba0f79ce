import fs from 'node:fs';
import { join } from 'node:path';

/** Runs `work` while the home's capture.sh calls a broken node. */
export async function withBrokenNode({ root, home }, variant, work) {
  const script = join(home, 'capture.sh');
  const original = fs.readFileSync(script, 'utf8');
  const failing = join(root, 'failing-node');
  fs.writeFileSync(failing, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const changes = {
    'node ends with 1': [/^cairn_node=.*$/m, `cairn_node='${failing}'`],
    'node is missing': [/^cairn_node=.*$/m, `cairn_node='${join(root, 'no-such-node')}'`],
    'bundle is missing': [/^cairn_hook=.*$/m, `cairn_hook='${join(root, 'no-such-bundle', 'hook.cjs')}'`],
  };
  const [line, replacement] = changes[variant];
  if (!line.test(original))
    throw new Error(`capture.sh has no line ${line}; adapt attack/parts/broken-node.mjs.`);
  fs.writeFileSync(
    script,
    original.replace(line, () => replacement),
  );
  try {
    await work();
  } finally {
    fs.writeFileSync(script, original);
  }
}
