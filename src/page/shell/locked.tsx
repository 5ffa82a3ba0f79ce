import { CommandLine } from '../parts/command-line.tsx';
import { Brand } from '../parts/icon.tsx';

/** Shown instead of the viewer while this browser has no valid key. */
export function Locked({ reason }: { reason: string }) {
  return (
    <main class="locked" id="main">
      <Brand />
      <h1>Open Cairn from a terminal</h1>
      <p>{reason} To show your memories in this browser, run:</p>
      <p>
        <CommandLine command="cairn open" />
      </p>
      <p class="quiet">The command opens a link that works once. The browser then has access for 30 days.</p>
    </main>
  );
}
