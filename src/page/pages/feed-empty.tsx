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
        Cairn makes memories while an agent works. Connect an agent and use it as usual; its memories appear
        here.
      </p>
      <ul class="commands">
        <li>
          Connect the agents on this machine: <CommandLine command="cairn install" />
        </li>
        <li>
          <a class="link" href="/projects">
            Import past sessions
          </a>{' '}
          of the agents on this machine.
        </li>
      </ul>
      <p>
        Or see how it works first: play a recorded session into this feed. It is kept in a separate project,
        and one click removes it.
      </p>
      <p>
        <PlaySample />
      </p>
    </EmptyNote>
  );
}
