import { CommandLine } from './command-line.tsx';

export interface Trouble {
  text: string;
  /** The command that fixes it. */
  fix: string;
}

export function Troubles({ troubles }: { troubles: Trouble[] }) {
  if (troubles.length === 0) return null;
  return (
    <section class="card troubles">
      <h2>Problems</h2>
      <ul>
        {troubles.map(({ text, fix }) => (
          <li key={text}>
            <span>{text}</span>
            <CommandLine command={fix} />
          </li>
        ))}
      </ul>
    </section>
  );
}
