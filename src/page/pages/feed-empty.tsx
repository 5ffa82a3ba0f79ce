import { CommandLine } from '../parts/command-line.tsx';
import { PlaySample } from '../parts/sample.tsx';
import { EmptyNote } from '../parts/states.tsx';
import { place } from '../shell/router.ts';

export function EmptyFeed({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No memories match these filters">
        <p>
          <a class="btn" href={place.value.path === '/' ? '/' : place.value.path}>
            Clear filters
          </a>
        </p>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No memories yet">
      <p>
        Cairn learns while an agent works. Connect one, then use it as always; memories appear here by
        themselves.
      </p>
      <ul class="commands">
        <li>
          Connect the agents of this machine: <CommandLine command="cairn install" />
        </li>
        <li>
          <a class="link" href="/projects">
            Import past sessions
          </a>{' '}
          that agents have left on this machine.
        </li>
      </ul>
      <p>
        Or see how it works first: play a recorded session into this feed, as a project of its own. One click
        removes it.
      </p>
      <p>
        <PlaySample />
      </p>
    </EmptyNote>
  );
}
