import type { InstallPlace } from '../../src/agents/install/agent-installer.ts';

/** Where to install an agent in tests that need no machine. */
export const PLACE: InstallPlace = {
  userHome: '/home/u',
  variable: () => undefined,
  platform: 'linux',
  captureScript: '/home/u/.cairn/capture.sh',
  launcher: '/home/u/.cairn/bin/cairn',
  interpreter: '/usr/bin/node',
  hookProgram: '/opt/cairn/hook.cjs',
  cairn: ['/home/u/.cairn/bin/cairn'],
  folder: '/src/app',
  project: null,
  choices: { hasServer: true, allowsTools: false, programs: [] },
};
