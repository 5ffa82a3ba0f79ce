import { signal } from '@preact/signals';
import { useKeys } from './keys.ts';

interface Toast {
  text: string;
  undo?: (() => void) | undefined;
  isError: boolean;
}

const toast = signal<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

const SHOWN_MS = { plain: 5_000, withUndo: 10_000 };

export function showToast(
  text: string,
  { undo, isError = false }: { undo?: () => void; isError?: boolean } = {},
): void {
  clearTimeout(timer);
  toast.value = { text, undo, isError };
  timer = setTimeout(hideToast, undo ? SHOWN_MS.withUndo : SHOWN_MS.plain);
}

export function showFailure(error: unknown): void {
  showToast(error instanceof Error ? error.message : String(error), { isError: true });
}

function hideToast(): void {
  toast.value = null;
}

export function Toasts() {
  const shown = toast.value;
  const undo = () => {
    toast.value?.undo?.();
    hideToast();
  };
  useKeys(shown?.undo ? { u: { label: 'Undo', run: undo } } : {});
  return (
    <div class="toasts" role="status">
      {shown && (
        <div class={shown.isError ? 'toast bad' : 'toast'}>
          <span>{shown.text}</span>
          {shown.undo && (
            <button type="button" class="btn" onClick={undo}>
              Undo <kbd>U</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  );
}
