import type { ApiOptions } from '../options.ts';
import type { Handlers } from '../route.ts';
import type { ROUTES } from '../routes/all.ts';
import { createAccessHandlers } from './access.ts';
import { changeHandlers } from './changes.ts';
import { doctorHandlers } from './doctor.ts';
import { feedHandlers } from './feed.ts';
import { forgetHandlers } from './forget.ts';
import { createImportHandlers } from './import.ts';
import { injectionHandlers } from './injections.ts';
import { intakeHandlers } from './intake.ts';
import { memoryHandlers } from './memories.ts';
import { previewHandlers } from './preview.ts';
import { projectHandlers } from './projects.ts';
import { createSampleHandlers } from './sample.ts';
import { sessionHandlers } from './sessions.ts';
import { teamHandlers } from './team.ts';
import { upkeepHandlers } from './upkeep.ts';

export function createHandlers(options: ApiOptions): Handlers<typeof ROUTES> {
  return {
    ...createAccessHandlers(options),
    ...feedHandlers,
    ...memoryHandlers,
    ...changeHandlers,
    ...forgetHandlers,
    ...injectionHandlers,
    ...intakeHandlers,
    ...projectHandlers,
    ...sessionHandlers,
    ...upkeepHandlers,
    ...doctorHandlers,
    ...previewHandlers,
    ...createSampleHandlers(options),
    ...createImportHandlers(options),
    ...teamHandlers,
  };
}
