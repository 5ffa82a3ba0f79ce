import { withCairnCommand } from '../platform/cairn-command.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';

export const command: Command = {
  name: 'stats',
  summary: 'Show statistics by type, project and day',
  usage: 'stats [--json]',
  options: { json: { type: 'boolean' } },
  run(call) {
    return readMemory(call, (store) => {
      const stats = store.collectStats();
      if (call.options.json) printJson(call, stats);
      else if (Object.values(stats).every((rows) => rows.length === 0))
        call.out(withCairnCommand('Nothing was captured yet. Is an agent connected? See: cairn status'));
      else {
        table(call, 'Memories by type', stats.byType);
        table(call, 'Memories by project', stats.byProject);
        table(call, 'Events by day', stats.byDay);
        table(call, 'Model calls by day', stats.modelCallsByDay);
      }
      return 0;
    });
  },
};

function table(call: Call, title: string, rows: { name: string; count: number }[]): void {
  const { out, paint } = call;
  if (rows.length === 0) return;
  const most = Math.max(...rows.map(({ count }) => count));
  out(paint.bold(title));
  for (const { name, count } of rows) {
    const bar = '█'.repeat(Math.max(1, Math.round((count / most) * 30)));
    printRow(call, `  ${name.padEnd(20)} ${String(count).padStart(7)} ${paint.cyan(bar)}`);
  }
}
