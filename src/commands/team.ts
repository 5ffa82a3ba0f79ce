import type { Command } from './support/command.ts';
import { selectSubcommand } from './support/usage.ts';
import { createTeam } from './team/create.ts';
import { inviteMember } from './team/invite.ts';
import { joinTeam } from './team/join.ts';
import { leaveTeam } from './team/leave.ts';
import { listMachines, listMembers } from './team/people.ts';
import { recoverTeam } from './team/recover.ts';
import { repairTeam } from './team/repair.ts';
import { changeRights, revokeAccess, rotateLogin, scrubServer, upgradeServer } from './team/rights.ts';
import { shareProject, unshareProject } from './team/share.ts';
import { showStatus } from './team/status.ts';
import { syncNow } from './team/sync.ts';

export const command: Command = {
  name: 'team',
  summary: 'Share memories and work items with your other machines and your colleagues',
  usage: [
    'team [status] [--json]',
    'team create [<file with the URL> | -] [--name <you>] [--machine <name>] [--encrypted] [--ca <file>]',
    'team invite <name> [--read-only] [--project <project>]… [--lasting] [--pooler <host:port>] [--url <file> | -] [--ca <file>]',
    'team join [<file with the link> | -] [--machine <name>]',
    'team share [<project> | <memory>] [--as <name>] [--past] [--yes]',
    'team unshare [<project> | <memory>] [--yes]',
    'team sync | repair [--json]',
    'team members | machines [--json]',
    'team rights <member> [--read-only] [--project <project>]… [--url <file> | -]',
    'team revoke <member> | --role <machine> [--url <file> | -] [--yes]',
    'team rotate',
    'team recover [<file with the URL> | -] --code <file> [--machine <name>] [--ca <file>]',
    'team upgrade [--url <file> | -]',
    'team scrub [--url <file> | -] [--yes]',
    'team leave [--with-memories] [--yes]',
  ].join('\n'),
  help: [
    'The team is a PostgreSQL database of your own; nothing else has to run. Everything works without it, too.',
    'URLs and links are secrets: read from a file, stdin or a prompt without echo, never from arguments.',
    '  --encrypted      seal everything on the machines: the server sees ids, sizes and times',
    '  --past           also share older memories; shows first how many there are',
    '  --as             name of a project without a remote address, the same on every machine',
    '  --lasting        a link for CAIRN_TEAM in containers and pipelines, valid until it is revoked',
    '  --code           file with the recovery code of an encrypted team',
    '  --pooler         address that the invited machine connects to, if not the administrator’s',
    '  --url            file with the administrator’s URL, or -',
    '  --with-memories  also remove the memories of others from this machine',
    '  --yes            do not ask; required without a terminal',
    'See docs/team.md for what leaves this machine.',
  ].join('\n'),
  options: {
    as: { type: 'string' },
    ca: { type: 'string' },
    code: { type: 'string' },
    encrypted: { type: 'boolean' },
    json: { type: 'boolean' },
    lasting: { type: 'boolean' },
    machine: { type: 'string' },
    name: { type: 'string' },
    past: { type: 'boolean' },
    pooler: { type: 'string' },
    project: { type: 'string', multiple: true },
    'read-only': { type: 'boolean' },
    role: { type: 'string' },
    url: { type: 'string' },
    'with-memories': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
  },
  words: 2,
  run(call) {
    const [action = 'status', argument] = call.positionals;
    return selectSubcommand(SUBCOMMANDS, action)(call, argument);
  },
};

const SUBCOMMANDS = {
  status: showStatus,
  create: createTeam,
  invite: inviteMember,
  join: joinTeam,
  share: shareProject,
  unshare: unshareProject,
  sync: syncNow,
  repair: repairTeam,
  members: listMembers,
  machines: listMachines,
  rights: changeRights,
  revoke: revokeAccess,
  rotate: rotateLogin,
  recover: recoverTeam,
  upgrade: upgradeServer,
  scrub: scrubServer,
  leave: leaveTeam,
};
