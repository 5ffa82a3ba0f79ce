import { CommandLine } from '../parts/command-line.tsx';
import { EmptyNote } from '../parts/states.tsx';
import { place } from '../shell/router.ts';

export function EmptyFeed({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No memories match these filters">
        <p>
          <a class="btn" href={place.value.path === '/' ? '/' : place.value.path}>
            Remove the filters
          </a>
        </p>
      </EmptyNote>
    );
  return (
    <EmptyNote title="Nothing is remembered yet">
      <p>
        Cairn learns while an agent works. Connect one, then use it as always; memories appear here by
        themselves.
      </p>
      <ul class="commands">
        <li>
          Connect the agents of this machine: <CommandLine command="cairn install" />
        </li>
        <li>
          See how it works with a sample session: <CommandLine command="cairn tour" />
        </li>
        <li>
          Import what other memories know: <CommandLine command="cairn import" />
        </li>
      </ul>
    </EmptyNote>
  );
}
