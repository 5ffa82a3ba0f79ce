import type { Random } from './random.ts';
import type { TeamHome } from './team-home.ts';

/** Makes one random change of a kind that the team shares, or none. */
export function changeAtRandom(home: TeamHome, random: Random, step: number): void {
  const { store, projectId } = home;
  const shared = store
    .listTeamItems(projectId)
    .flatMap(({ what, rowId, isDead }) => (isDead || rowId === null ? [] : [{ what, rowId }]));
  const pick = (wanted: string) => {
    const rows = shared.filter(({ what }) => what === wanted).map(({ rowId }) => rowId);
    return rows[random.below(Math.max(1, rows.length))];
  };
  const memory = pick('memory');
  const at = home.now();
  switch (random.below(9)) {
    case 0:
    case 1:
      home.note(
        `Thought number ${step} of ${home.machine}`,
        `It is about subject ${random.below(1_000)} and nothing else.`,
      );
      return;
    case 2:
      if (memory) store.editMemory(memory, { narrative: `Edited in step ${step} on ${home.machine}.` }, at);
      return;
    case 3:
      if (memory) store.pinMemory(memory, random.chance(0.5) ? at : null);
      return;
    case 4: {
      const by = pick('memory');
      if (memory && by && by !== memory)
        store.supersedeMemories([memory], random.chance(0.7) ? by : null, at);
      return;
    }
    case 5:
      if (memory && random.chance(0.5)) home.forget(memory);
      return;
    case 6: {
      const work = store.addWorkItem({
        name: `work-${random.below(3)}`,
        title: `Work of step ${step}`,
        projectId,
        branch: null,
        worktree: null,
        at,
      });
      store.addTask({
        workId: work.id,
        subject: `Task of step ${step}`,
        description: '',
        state: 'open',
        source: 'person',
        key: null,
        at,
      });
      return;
    }
    case 7: {
      const task = pick('task');
      if (task)
        store.changeTask(task, { state: random.oneOf(['open', 'doing', 'done', 'dropped']) }, 'person', at);
      return;
    }
    case 8: {
      const work = pick('work-item');
      if (work)
        store.changeWorkItem(
          work,
          { nextSteps: `Go on with step ${step}.`, closedAt: random.chance(0.3) ? at : null },
          at,
        );
    }
  }
}
