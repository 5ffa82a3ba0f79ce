import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { areKeysOn, listActions, switchKeys } from './keys.ts';

const SHOWN: Record<string, string> = {
  ...{ ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→' },
  ...{ Backspace: '⌫', Escape: 'Esc', J: 'Shift j', K: 'Shift k' },
};

/** Lists every key of the page behind the dialog. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(areKeysOn());
  const byLabel = new Map<string, string[]>();
  for (const [key, { label }] of listActions()) byLabel.set(label, [...(byLabel.get(label) ?? []), key]);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            switchKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
        Single-key shortcuts
      </label>
      <dl class="key-list">
        <Row keys={['Ctrl K']} label="Find a command, page, project or memory number" />
        {[...byLabel].map(([label, keys]) => (
          <Row key={label} keys={keys} label={label} />
        ))}
      </dl>
      <p class="row">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

function Row({ keys, label }: { keys: string[]; label: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{SHOWN[key] ?? key}</kbd>
        ))}
      </dt>
      <dd>{label}</dd>
    </div>
  );
}
