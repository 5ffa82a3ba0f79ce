import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../platform/installation.ts';
import type { InstallPlace } from './agent-installer.ts';

const SHARED_IMPORT = /^import \{[^}]*\} from '\.\.\/hook-calls\.js';\n/m;

/**
 * A JavaScript plugin as one file: `plugins/<folder>/cairn.js` with `plugins/hook-calls.js` in place of its import, and
 * with the values for this machine. Only the plugin's own exports are exported.
 */
export function buildPluginText(agent: string, folder: string, place: InstallPlace): string {
  const { platform, captureScript, launcher, interpreter, hookProgram, cairn, choices } = place;
  const command = platform === 'win32' ? [interpreter, hookProgram] : [launcher, 'hook'];
  const server = choices.hasServer ? [...cairn, 'mcp'] : null;
  const settings = JSON.stringify({ agent, home: dirname(captureScript), command, server });
  const shared = readPlugin('hook-calls.js')
    .replaceAll(/^export /gm, '')
    .replace("'@SETTINGS@'", () => JSON.stringify(settings));
  return readPlugin(join(folder, 'cairn.js')).replace(SHARED_IMPORT, () => shared);
}

function readPlugin(name: string): string {
  return readFileSync(join(packageRoot(), 'plugins', name), 'utf8');
}
