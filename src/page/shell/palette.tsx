import { useEffect, useRef, useState } from 'preact/hooks';
import { knownProjects } from '../api/known-projects.ts';
import { Dialog } from '../parts/dialog.tsx';
import { type Action, listActions } from './keys.ts';
import { listPages } from './pages.ts';
import { navigate } from './router.ts';
import { chooseTheme } from './theme.ts';

interface Command {
  label: string;
  hint: string;
  run(): void;
}

/** Finds pages, projects, actions and memories by name or number. */
export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const actions = useRef(listActions());
  const list = useRef<HTMLUListElement>(null);
  const found = findCommands(text, [
    ...listPages().map(({ name, href, key }) => ({
      label: `Go to ${name}`,
      hint: `g ${key}`,
      run: () => navigate(href),
    })),
    ...actions.current.filter(isOwn).map(([key, { label, run }]) => ({ label, hint: key, run })),
    { label: 'Light theme', hint: '', run: () => chooseTheme('light') },
    { label: 'Dark theme', hint: '', run: () => chooseTheme('dark') },
    ...knownProjects.value.map(({ id, name }) => ({
      label: `Project ${name}`,
      hint: '',
      run: () => navigate(`/?project=${id}`),
    })),
  ]);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // Runs after the dialog has restored the focus.
    setTimeout(() => command.run());
  };
  return (
    <Dialog title="Commands" onClose={onClose}>
      <input
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`command-${chosen}`}
        aria-label="Command, project or #number"
        placeholder="Command, project or #number"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setChosen((chosen + step + found.length) % Math.max(1, found.length));
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(found[chosen]);
          }
        }}
      />
      <ul class="palette" id="palette-list" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command, index) => (
          <li
            key={command.label}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            <span>{command.label}</span>
            {command.hint !== '' && <kbd>{command.hint}</kbd>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Excludes pages, which are already in the list, and keys that only move. */
function isOwn([key]: [string, Action]): boolean {
  return !key.startsWith('g ') && !/^(?:Arrow|Escape$|[jk?]$)/.test(key);
}

/** All words must occur. A number opens that memory; any other text can be searched for. */
export function findCommands(text: string, commands: Command[]): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const number = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const matching = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  return [
    ...(number ? [{ label: `Open memory #${number}`, hint: '', run: () => navigate(`/m/${number}`) }] : []),
    ...matching,
    ...(text.trim() === ''
      ? []
      : [
          {
            label: `Search for “${text.trim()}”`,
            hint: '/',
            run: () => navigate(`/search?q=${encodeURIComponent(text.trim())}`),
          },
        ]),
  ];
}
