import { useState } from 'preact/hooks';
import { get, send } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { count } from '../parts/format.ts';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { areKeysOn, switchKeys } from '../shell/keys.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { ContextPreview } from './context-preview.tsx';
import type { KnownSettings, Setting, SettingChanges, SettingValue } from './setting-changes.ts';

const GROUP_NAMES: Record<string, string> = {
  api: 'Viewer',
  capture: 'Capture',
  context: 'What agents are given',
  distill: 'Distilling',
  embedder: 'Search by meaning',
  forget: 'Forgetting',
  hooks: 'Hooks',
  log: 'Log',
  mcp: 'Agent tools',
  meter: 'Context window',
  model: 'Model',
  notes: 'Folder notes',
  retention: 'Retention',
  team: 'Team',
  worker: 'Worker',
};

/** Every setting with its description, and a preview of the context. */
export function SettingsPage() {
  const { data, error, isSlow, reload } = useAnswer('settings', (signal) => get('/api/settings', { signal }));
  return (
    <PageColumn label="Settings">
      {error && !data && <ErrorNote error={error} what="Settings could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={8} />}
      {data && <SettingsForm answered={data} onSaved={reload} />}
    </PageColumn>
  );
}

function SettingsForm({
  answered: { settings, problems },
  onSaved,
}: {
  answered: KnownSettings;
  onSaved(): void;
}) {
  const [changes, setChanges] = useState<SettingChanges>({});
  const [words, setWords] = useState('');
  const names = Object.keys(changes);
  const change = (setting: Setting, value: SettingValue | null) =>
    setChanges(({ [setting.name]: _, ...others }) => {
      const shown = value ?? setting.default;
      const isSame = value === null ? setting.from === 'default' : String(shown) === String(setting.value);
      return isSame ? others : { ...others, [setting.name]: value };
    });
  const save = async () => {
    try {
      await send('PATCH', '/api/settings', { body: { changes } });
      setChanges({});
      onSaved();
      showToast(`Saved ${count(names.length, 'setting')}.`);
    } catch (error) {
      showFailure(error);
    }
  };
  const found = settings.filter(({ name, about }) =>
    `${name} ${about}`.toLowerCase().includes(words.toLowerCase()),
  );
  const groups = [...new Set(found.map(({ name }) => name.split('.')[0] ?? ''))];
  const changed = settings.filter(({ from }) => from !== 'default').length;
  return (
    <>
      <PageHeader
        title="Settings"
        lead={
          changed === 0
            ? 'All settings have their default values.'
            : `${count(changed, 'setting differs', 'settings differ')} from the default.`
        }
      >
        <button type="button" class="btn" disabled={names.length === 0} onClick={() => setChanges({})}>
          Discard
        </button>
        <button
          type="button"
          class="btn primary"
          disabled={names.length === 0 || !isReachable.value}
          onClick={save}
        >
          {names.length === 0 ? 'Save' : `Save ${count(names.length, 'change')}`}
        </button>
      </PageHeader>
      {problems.map((problem) => (
        <p class="tag warn" key={problem}>
          {problem}
        </p>
      ))}
      <label class="field filter-settings">
        <span>Find a setting</span>
        <input type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </label>
      {found.length === 0 && <EmptyNote title={`No settings match “${words}”`} />}
      <div class="settings-columns">
        <div>
          {groups.map((group) => (
            <section class="card" key={group}>
              <h2>{GROUP_NAMES[group] ?? group}</h2>
              {found
                .filter(({ name }) => name.startsWith(`${group}.`))
                .map((setting) => (
                  <SettingRow
                    key={setting.name}
                    setting={setting}
                    change={changes[setting.name]}
                    onChange={(value) => change(setting, value)}
                  />
                ))}
            </section>
          ))}
          {words === '' && <KeysSwitch />}
        </div>
        <ContextPreview changes={changes} />
      </div>
    </>
  );
}

function SettingRow({
  setting,
  change,
  onChange,
}: {
  setting: Setting;
  /** Undefined if unchanged; null restores the default. */
  change: SettingValue | null | undefined;
  onChange(value: SettingValue | null): void;
}) {
  const { name, about, from } = setting;
  const value = change === undefined ? setting.value : (change ?? setting.default);
  const isDefault = String(value) === String(setting.default);
  return (
    <div class={isDefault ? 'setting' : 'setting changed'}>
      <label for={`setting-${name}`}>
        <code>{name}</code>
        <span>{about}</span>
      </label>
      <SettingInput setting={setting} value={value} onChange={onChange} />
      <p>
        {change !== undefined && <span class="tag accent">not saved</span>}
        {change === undefined && from === 'file' && <span class="tag grey">changed</span>}
        {from === 'environment' && <span class="tag warn">set by the environment</span>}
        {!isDefault && (
          <button type="button" class="link" onClick={() => onChange(null)}>
            Back to {String(setting.default) || 'empty'}
            <span class="hidden-text">, the default of {name}</span>
          </button>
        )}
      </p>
    </div>
  );
}

function SettingInput({
  setting: { name, kind, choices = [], min },
  value,
  onChange,
}: {
  setting: Setting;
  value: SettingValue;
  onChange(value: SettingValue): void;
}) {
  const id = `setting-${name}`;
  if (kind === 'choice')
    return (
      <select id={id} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (kind === 'number')
    return (
      <input
        id={id}
        type="number"
        min={min}
        value={String(value)}
        onInput={(event) => {
          if (event.currentTarget.value !== '') onChange(event.currentTarget.valueAsNumber);
        }}
      />
    );
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  const read = (typed: string) =>
    kind === 'list'
      ? typed
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
      : typed;
  return (
    <input id={id} type="text" value={text} onChange={(event) => onChange(read(event.currentTarget.value))} />
  );
}

/** A setting of this browser, not of Cairn. */
function KeysSwitch() {
  const [isOn, setOn] = useState(areKeysOn());
  return (
    <section class="card">
      <h2>This browser</h2>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            switchKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />{' '}
        Single-key shortcuts
      </label>
    </section>
  );
}
