import type { ComponentChildren } from 'preact';
import type { CallError } from '../api/call.ts';

/** Placeholder rows with the final height. */
export function LoadingRows({ rows = 8 }: { rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="hidden-text">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div class="loading-row" key={index} />
      ))}
    </div>
  );
}

export function ErrorNote({ error, what, onRetry }: { error: CallError; what: string; onRetry(): void }) {
  // Nothing failed, and a retry would not bring it back.
  if (error.status === 404)
    return (
      <section class="note-card" role="alert">
        <h2>{error.message}</h2>
        <p>It was deleted, or the address is wrong.</p>
      </section>
    );
  return (
    <section class="note-card bad" role="alert">
      <h2>{what}</h2>
      <p>
        {error.title}: {error.message}
      </p>
      <p class="row">
        <button type="button" class="btn" onClick={onRetry}>
          Retry
        </button>
        {/* Only errors of the server are in the log. */}
        {error.status >= 500 && error.request !== '' && <small>Request {error.request}</small>}
      </p>
    </section>
  );
}

export function EmptyNote({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="note-card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
