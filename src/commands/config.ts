import {
  checkSetting,
  isSettingName,
  loadSettings,
  SETTINGS,
  type SettingName,
  saveSetting,
} from '../config/settings.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { printWrapped } from './support/rows.ts';
import { createUnknownError, requireArgument, selectSubcommand } from './support/usage.ts';

export const command: Command = {
  name: 'config',
  summary: 'Show and change settings',
  usage: [
    'config [list] [--json]',
    'config get <name>',
    'config set <name> <value>',
    'config unset <name>',
  ].join('\n'),
  options: { json: { type: 'boolean' } },
  // A value may be typed without quotes.
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = 'list', name, ...value] = call.positionals;
    return selectSubcommand({ list, get, set, unset }, action)(call, name, value.join(' '));
  },
};

function get(call: Call, name: string | undefined): number {
  call.out(show(call.settings[settingName(name)]));
  return 0;
}

function set(call: Call, name: string | undefined, value: string): number {
  const setting = settingName(name);
  const checked = checkSetting(setting, requireArgument(value, `value of ${setting}`));
  if (!checked.ok) throw new CommandError(checked.problem);
  saveSetting(call.paths.config, setting, checked.value);
  call.out(`Set ${setting} to ${show(checked.value)}.`);
  return 0;
}

function unset(call: Call, name: string | undefined): number {
  const setting = settingName(name);
  saveSetting(call.paths.config, setting, undefined);
  call.out(`Reset ${setting} to ${show(SETTINGS[setting].default)}.`);
  return 0;
}

function list(call: Call): number {
  const { settings, changed, problems } = loadSettings(call.paths.config, call.env);
  if (call.options.json) printJson(call, settings);
  else
    for (const name of Object.keys(SETTINGS).filter(isSettingName)) {
      const from = changed[name] ? call.paint.yellow(` (from the ${changed[name]})`) : '';
      printWrapped(call, `${call.paint.bold(name)} = ${show(settings[name])}${from}`, 4);
      printWrapped(call, call.paint.dim(`    ${withCairnCommand(SETTINGS[name].about)}`), 4);
    }
  for (const problem of problems) call.err(problem);
  return problems.length ? 1 : 0;
}

function settingName(name: string | undefined): SettingName {
  const word = requireArgument(name, 'setting', 'See: cairn config list');
  if (isSettingName(word)) return word;
  throw createUnknownError('setting', word, Object.keys(SETTINGS));
}

function show(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
