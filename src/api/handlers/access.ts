import { statSync } from 'node:fs';
import { listPauses } from '../../capture/pauses.ts';
import { listSpool } from '../../capture/spool.ts';
import { listNames } from '../../platform/files.ts';
import { VERSION } from '../../platform/version.ts';
import { createKey, readAccess } from '../access.ts';
import { createCodes } from '../codes.ts';
import type { ApiOptions } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { accessRoutes } from '../routes/access.ts';

const REFUSED = {
  used: 'This link was already used.',
  expired: 'This link is older than a minute.',
  unknown: 'This link is not valid.',
};

export function createAccessHandlers({ paths, log, now }: ApiOptions): Handlers<typeof accessRoutes> {
  const codes = createCodes(now);
  const startedAt = Math.round(now() - process.uptime() * 1_000);
  return {
    ping: () => ({ ok: true }),
    createCode: () => codes.issue(),
    createKey({ body }) {
      const outcome = codes.use(body.code);
      if (outcome === 'accepted') return createKey(readAccess(paths), now());
      log.warn('link refused', { reason: outcome });
      throw new Problem(403, `${REFUSED[outcome]} Get a new one: cairn open`);
    },
    getHealth(_, { store }) {
      return {
        version: VERSION,
        worker: { pid: process.pid, startedAt, residentBytes: process.memoryUsage.rss() },
        spool: { pending: listSpool(paths).length, torn: listNames(paths.torn).length },
        databaseBytes: statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0,
        stored: store.countEverything(),
        pendingDocuments: store.countPendingDocs(),
        pauses: listPauses(paths).map(({ what, since }) => ({ what, since })),
        hooks: store.listHookActivity(),
      };
    },
  };
}
