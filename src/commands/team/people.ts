import { formatAge } from '../../context/words.ts';
import { type Call, printJson } from '../support/command.ts';
import { printRow } from '../support/rows.ts';
import { withTeam } from './open.ts';

/** `cairn team members` */
export function listMembers(call: Call): Promise<number> {
  return withTeam(call, async ({ login }) => {
    const { listMembers: list } = await import('../../team/server/people.ts');
    const members = await list(login);
    if (call.options.json) printJson(call, members);
    else
      for (const member of members) {
        const marks = [
          member.isMe && 'you',
          member.isReadOnly && 'reads only',
          member.revokedAt && 'no access any more',
          !member.seesAllProjects && `${member.projects.length} shared with you`,
        ];
        printRow(
          call,
          `${call.paint.bold(member.name)}  ${call.paint.dim(marks.filter(Boolean).join(', '))}`,
        );
      }
    return 0;
  });
}

/** `cairn team machines` */
export function listMachines(call: Call): Promise<number> {
  return withTeam(call, async ({ login }) => {
    const { listMachines: list } = await import('../../team/server/people.ts');
    const machines = await list(login);
    if (call.options.json) printJson(call, machines);
    else
      for (const { member, label, role, isThis, joinedAt, revokedAt, lastSeen } of machines) {
        const state = revokedAt
          ? 'no access any more'
          : joinedAt === null
            ? 'invited'
            : `last seen ${lastSeen ? formatAge(lastSeen.getTime(), call.now()) : 'never'}`;
        const own = isThis ? ', this machine' : '';
        printRow(
          call,
          `${call.paint.bold(member)}  ${label ?? '–'}  ${call.paint.dim(`${state}${own}  ${role}`)}`,
        );
      }
    return 0;
  });
}
