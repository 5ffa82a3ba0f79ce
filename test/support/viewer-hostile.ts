import { OBSERVATION_TYPES } from '../../src/model/memory.ts';
import { rememberTurn } from './memories.ts';
import type { PlainStore } from './plain-store.ts';

/** HTML, Markdown and addresses that would run code or leave the page if they were more than text. */
export const TRICKS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<svg onload="window.hacked = 3"><a xlink:href="javascript:window.hacked=4"><text>x</text></a></svg>',
  '<iframe srcdoc="<script>parent.hacked = 5</script>"></iframe>',
  '[click](javascript:window.hacked=6)',
  '![image](https://evil.example/pixel.png)',
  '[named](https://evil.example "title")',
  '<a href="data:text/html,<script>1</script>">data</a>',
  '<https://evil.example/auto>',
  '`code` </code><style>body{display:none}</style>',
  '{{constructor.constructor("window.hacked = 7")()}}',
  '\u202Eabc gnp.exe \u2066right to left\u2069',
  '"onmouseover="window.hacked = 9" x="',
  '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u001b[2J\u0008\u200b\u2028\ufeff',
];
const ALL = TRICKS.join(' ');

/** Stores tricks in place of every text. */
export function fillHostile(store: PlainStore, now: number): void {
  const place = {
    ...{
      path: `/nowhere/${TRICKS[1]}/.git`,
      name: `${TRICKS[0]}`,
      worktree: '/nowhere/x',
      branch: `${TRICKS[1]}`,
    },
  };
  OBSERVATION_TYPES.forEach((type, index) => {
    rememberTurn(store, {
      ...{
        session: 'hostile',
        place,
        at: now - index * 60_000,
        folder: `/nowhere/${TRICKS[2]}`,
        commit: `${TRICKS[0]}`,
      },
      summary: {
        ...{ request: ALL, investigated: ALL, learned: ALL, completed: ALL, nextSteps: ALL, notes: ALL },
        ...{ filesRead: TRICKS, filesModified: TRICKS },
      },
      observations: [
        {
          ...{
            type,
            title: ALL,
            subtitle: ALL,
            narrative: `# ${ALL}\n\n- ${ALL}\n\n\`\`\`html\n${ALL}\n\`\`\`\n\n${ALL}`,
          },
          ...{ facts: TRICKS, concepts: TRICKS, filesModified: TRICKS, filesRead: TRICKS },
        },
      ],
    });
  });
  const [project] = store.listProjects();
  const [session] = store.listSessions({}, 1);
  if (!project || !session) throw new Error('Nothing was stored.');
  const agentSession = session.agentSession;
  const { id: workId } = store.addWorkItem({
    ...{
      name: 'hostile',
      title: ALL,
      projectId: project.id,
      branch: TRICKS[1] ?? '',
      worktree: TRICKS[2] ?? '',
      at: now,
    },
  });
  store.addPlan({
    workId,
    hash: 'one',
    state: 'accepted',
    agentSession,
    at: now,
    text: `# ${ALL}\n\n1. ${ALL}`,
  });
  store.addTask({
    ...{ workId, subject: ALL, description: ALL, state: 'open', source: 'plan', key: null, at: now },
  });
  store.addWorkNote(workId, ALL, now);
  store.addHandoff({
    ...{ workId, tasks: [], plan: null, by: 'agent', agentSession, at: now },
    git: { branch: ALL, head: ALL, dirty: TRICKS, moreDirty: 0, ahead: 1 },
    parts: {
      ...{ goal: ALL, state: ALL, decisions: TRICKS, deadEnds: TRICKS, questions: TRICKS, note: ALL },
      ...{ files: TRICKS.map((path) => ({ path, what: ALL })), nextSteps: TRICKS },
    },
  });
  const parts = TRICKS.map((name, index) => ({ name, points: index - 3 }));
  store.recordInjections(
    [{ agent: 'claude-code', agentSession, source: 'start', memoryId: 1, tokens: 9, reason: ALL, at: now }],
    {
      ...{ agent: 'claude-code', agentSession, source: 'start', budget: 900, tokens: 99, at: now },
      body: JSON.stringify({
        text: ['What Cairn remembers:', `#1 decision: ${ALL}`, ...TRICKS].join('\n'),
        shown: [{ memoryId: 1, how: 'full', tokens: 9, reasons: TRICKS, score: 3, parts }],
        leftOut: [{ memoryId: 3, reason: ALL, score: 1, parts }],
      }),
    },
  );
}
