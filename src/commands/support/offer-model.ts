import { loadSettings, type SettingName, saveSetting } from '../../config/settings.ts';
import type { AvailableModel } from '../../distill/providers/find-model.ts';
import { cairnCommand } from '../../platform/cairn-command.ts';
import { quoteForShell } from '../../platform/shell.ts';
import { createStateNote } from '../../platform/state-note.ts';
import { type Ask, canAsk } from './ask.ts';
import type { Call } from './command.ts';

/** The average measured in docs/distilling.md. */
export const COST_PER_TURN = 'about 2,100 tokens in and 1,000 out per turn';

export type FindModel = (searchPath: string) => Promise<AvailableModel | null>;

const offered = createStateNote<{ at: number }>('model-offered');

/**
 * A model makes memories better but costs something, so it is used only if a person agrees. Asks once, on a terminal,
 * and only if a model is available and the settings neither choose nor decline one.
 */
export async function offerModel(call: Call, ask: Ask, findModel: FindModel): Promise<void> {
  const { changed } = loadSettings(call.paths.config, call.env);
  if (!canAsk(call) || changed['model.provider'] || offered.read(call.paths)) return;
  const found = await findModel(call.env.searchPath);
  if (!found) return;
  const isAgreed = await ask(questionFor(found), false);
  offered.write(call.paths, { at: call.now() });
  if (isAgreed) for (const [name, value] of settingsFor(found)) saveSetting(call.paths.config, name, value);
  const undo: [SettingName, string][] = isAgreed ? [['model.provider', 'none']] : settingsFor(found);
  const commands = undo.map(([name, value]) => `${cairnCommand()} config set ${name} ${asWord(value)}`);
  call.out(isAgreed ? 'The model improves memories from now on.' : 'Memories are made without a model.');
  call.out(`To change this: ${commands.join(' && ')}`);
}

function questionFor(found: AvailableModel): string {
  return found.provider === 'claude-cli'
    ? `Let your own claude (haiku) improve memories? It takes ${COST_PER_TURN}, from your account.`
    : `Let ${found.model} at ${new URL(found.baseUrl).host} improve memories? It takes ${COST_PER_TURN}; nothing leaves this machine.`;
}

function settingsFor(found: AvailableModel): [SettingName, string][] {
  if (found.provider === 'claude-cli') return [['model.provider', found.provider]];
  return [
    ['model.baseUrl', found.baseUrl],
    ['model.name', found.model],
    ['model.provider', found.provider],
  ];
}

function asWord(value: string): string {
  return /^[\w.:/-]+$/.test(value) ? value : quoteForShell(value);
}
