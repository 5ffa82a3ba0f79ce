import { storedPlaceOf } from '../capture/stored-place.ts';
import { counted, when } from '../context/words.ts';
import { shorten } from '../model/shorten.ts';
import type { SessionDigest } from '../store/store.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'sessions',
  summary: 'The latest sessions of this project, or of all',
  usage: 'sessions [--all] [--limit <n>] [--json]',
  options: { all: { type: 'boolean' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  run(call) {
    const limit = Number(call.options.limit ?? 20);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit takes a whole number above 0.');
    return readMemory(call, (store) => {
      const project = call.options.all ? null : store.findProject(storedPlaceOf(process.cwd()));
      if (!call.options.all && !project) {
        if (call.options.json) printJson(call, []);
        else call.out('Nothing was captured in this project yet. All projects: cairn sessions --all');
        return 0;
      }
      const sessions = store.recentSessions({ limit, ...(project && { projectId: project.id }) });
      if (call.options.json) printJson(call, sessions);
      else if (sessions.length === 0)
        call.out('Nothing was captured yet. Connect an agent: cairn install claude-code');
      else for (const session of sessions) call.out(line(call, session));
      return 0;
    });
  },
};

function line({ paint, now, options }: Call, session: SessionDigest): string {
  const open = session.endedAt === null ? paint.yellow(' open') : '';
  const project = options.all ? ` ${paint.cyan(session.project || '?')}` : '';
  const counts = paint.dim(`${counted(session.prompts, 'prompt')}, ${counted(session.events, 'event')}`);
  const words = session.firstPrompt ? shorten(session.firstPrompt, 70) : paint.dim('(no prompt)');
  return `${`s${session.id}`.padStart(5)}  ${when(session.lastSeen, now()).padEnd(10)}${open}${project}  ${words}  ${counts}`;
}
