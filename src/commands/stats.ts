import { type Call, type Command, printJson } from './command.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'stats',
  summary: 'Memory in numbers: by type, by project, by day',
  usage: 'stats [--json]',
  options: { json: { type: 'boolean' } },
  run(call) {
    return readMemory(call, (store) => {
      const stats = store.stats();
      if (call.options.json) printJson(call, stats);
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

function table({ out, paint }: Call, title: string, rows: { name: string; count: number }[]): void {
  if (rows.length === 0) return;
  const most = Math.max(...rows.map(({ count }) => count));
  out(paint.bold(title));
  for (const { name, count } of rows) {
    const bar = '█'.repeat(Math.max(1, Math.round((count / most) * 30)));
    out(`  ${name.padEnd(20)} ${String(count).padStart(7)} ${paint.cyan(bar)}`);
  }
}
