import { defaultAgent } from '../../agents/default.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings, SETTINGS, type Settings } from '../../config/settings.ts';
import { previewStart } from '../../context/start/preview.ts';
import { locateProject } from '../../memory/locate.ts';
import { askFolder } from '../../platform/folder-answers.ts';
import type { Handlers } from '../route.ts';
import type { previewRoutes } from '../routes/preview.ts';
import { requireProject } from './projects.ts';
import { checkChange } from './upkeep.ts';

const FOLDER_MS = 250;

export const previewHandlers: Handlers<typeof previewRoutes> = {
  async previewContext({ body: { project, changes } }, { store, paths, now }) {
    const { name } = requireProject(store, project);
    const folder = store.findProjectFolder(project);
    const isThere = folder !== null && (await askFolder(folder, FOLDER_MS));
    const location = isThere ? locateProject(store, folder) : null;
    if (!location)
      return { text: '', tokens: 0, memories: 0, notice: `The folder of ${name} cannot be read: ${folder}` };
    const settings: Record<string, unknown> = { ...loadSettings(paths.config, readEnvironment()).settings };
    for (const [changed, value] of Object.entries(changes)) {
      const checked = checkChange(changed, value);
      settings[checked.name] = checked.value ?? SETTINGS[checked.name].default;
    }
    const { text, tokens, shown } = previewStart(store, {
      ...location,
      agent: defaultAgent.id,
      agentSession: redactValue<string>(''),
      settings: settings as Settings,
      longest: defaultAgent.longestContext,
      now: now(),
    });
    return { text, tokens, memories: shown.length, notice: null };
  },
};
