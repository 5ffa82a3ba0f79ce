import {
  checkSetting,
  isSettingName,
  loadSettings,
  SETTINGS,
  type SettingName,
  saveSetting,
} from '../config/settings.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { nearest } from './nearest.ts';

export const command: Command = {
  name: 'config',
  summary: 'Settings: show them, change one, take a change back',
  usage: [
    'config [list] [--json]',
    'config get <name>',
    'config set <name> <value>',
    'config unset <name>',
  ].join('\n'),
  options: { json: { type: 'boolean' } },
  // A value may have been typed without quotes.
  words: Number.POSITIVE_INFINITY,
  run(call) {
    const [action = 'list', name, ...value] = call.positionals;
    const { paths } = call;
    switch (action) {
      case 'list':
        return list(call);
      case 'get':
        call.out(show(call.settings[settingName(name)]));
        return 0;
      case 'set': {
        const setting = settingName(name);
        if (value.length === 0) throw new UsageError(`What should ${setting} be?`);
        const checked = checkSetting(setting, value.join(' '));
        if (!checked.ok) throw new CommandError(checked.problem);
        saveSetting(paths.config, setting, checked.value);
        call.out(`${setting} is ${show(checked.value)} now.`);
        return 0;
      }
      case 'unset': {
        const setting = settingName(name);
        saveSetting(paths.config, setting, undefined);
        call.out(`${setting} is ${show(SETTINGS[setting].default)} again.`);
        return 0;
      }
      default: {
        const meant = nearest(action, ['list', 'get', 'set', 'unset']);
        throw new UsageError(`"cairn config" cannot ${action}.${meant ? ` Did you mean ${meant}?` : ''}`);
      }
    }
  },
};

function list(call: Call): number {
  const { settings, changed, problems } = loadSettings(call.paths.config, call.env);
  if (call.options.json) printJson(call, settings);
  else
    for (const name of Object.keys(SETTINGS).filter(isSettingName)) {
      const from = changed[name] ? call.paint.yellow(` (from the ${changed[name]})`) : '';
      call.out(`${call.paint.bold(name)} = ${show(settings[name])}${from}`);
      call.out(call.paint.dim(`    ${SETTINGS[name].about}`));
    }
  for (const problem of problems) call.err(problem);
  return problems.length ? 1 : 0;
}

function settingName(name: string | undefined): SettingName {
  if (name && isSettingName(name)) return name;
  const meant = name && nearest(name, Object.keys(SETTINGS));
  throw new UsageError(
    name ? `There is no setting ${name}.${meant ? ` Did you mean ${meant}?` : ''}` : 'Which setting?',
  );
}

function show(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
