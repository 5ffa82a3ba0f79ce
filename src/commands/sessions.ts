import { formatAge, formatCount } from '../context/words.ts';
import { locate } from '../memory/locate.ts';
import { shorten } from '../model/shorten.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { SessionDigest } from '../store/types/session.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { numberOption } from './support/usage.ts';

export const command: Command = {
  name: 'sessions',
  summary: 'List sessions of this project, or of all with --all',
  usage: 'sessions [--all] [--limit <n>] [--json]',
  options: { all: { type: 'boolean' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  run(call) {
    const limit = numberOption(call, 'limit', { fallback: 20 });
    return readMemory(call, (store) => {
      const project = call.options.all ? null : locate(store, process.cwd()).project;
      if (!call.options.all && !project) {
        if (call.options.json) printJson(call, []);
        else
          call.out(
            withCairnCommand('Nothing was captured in this project yet. All projects: cairn sessions --all'),
          );
        return 0;
      }
      const sessions = store.listRecentSessions({ limit, ...(project && { projectId: project.id }) });
      if (call.options.json) printJson(call, sessions);
      else if (sessions.length === 0)
        call.out(withCairnCommand('Nothing was captured yet. Is an agent connected? See: cairn status'));
      else for (const session of sessions) printRow(call, line(call, session));
      return 0;
    });
  },
};

function line({ paint, now, options }: Call, session: SessionDigest): string {
  const open = session.endedAt === null ? paint.yellow(' open') : '';
  const project = options.all ? ` ${paint.cyan(session.project || '?')}` : '';
  const counts = paint.dim(
    `${formatCount(session.prompts, 'prompt')}, ${formatCount(session.events, 'event')}`,
  );
  const words = session.firstPrompt ? shorten(session.firstPrompt, 70) : paint.dim('(no prompt)');
  return `${`s${session.id}`.padStart(5)}  ${formatAge(session.lastSeen, now()).padEnd(10)}${open}${project}  ${words}  ${counts}`;
}
