import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A command to type, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <span class="command">
      <code>{command}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${command}`}>
        {isCopied ? 'Copied' : <Icon name="copy" size={14} />}
      </button>
    </span>
  );
}
