import { useEffect, useRef, useState } from 'preact/hooks';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { isReachable, send } from '../api/call.ts';
import type { Memory, MemoryType } from '../api/types.ts';
import { SUMMARY_PARTS } from '../parts/summary-parts.ts';
import { typeName } from '../parts/type-mark.tsx';
import { showFailure, showToast } from '../shell/toast.tsx';

/** Distilling leaves edited memories alone. */
export function MemoryEditor({ memory, onDone }: { memory: Memory; onDone(): void }) {
  const form = useRef<HTMLFormElement>(null);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.current) return;
    setSaving(true);
    try {
      const body = readForm(new FormData(form.current), memory);
      await send('PATCH', '/api/memories/{id}', { params: { id: memory.id }, body });
      showToast(`Saved #${memory.id}.`);
      onDone();
    } catch (error) {
      showFailure(error);
      setSaving(false);
    }
  };

  return (
    <form
      class="editor"
      ref={form}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
    >
      <h1>Edit #{memory.id}</h1>
      <Field label="Title">
        <input name="title" defaultValue={memory.title} maxLength={300} required />
      </Field>
      {memory.type !== null && (
        <Field label="Type">
          <select name="type" defaultValue={memory.type}>
            {OBSERVATION_TYPES.map((type) => (
              <option key={type} value={type} selected={type === memory.type}>
                {typeName(type)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {memory.parts ? (
        SUMMARY_PARTS.map(([name, label]) => (
          <Field key={name} label={label}>
            <textarea name={name} rows={2} maxLength={20_000} defaultValue={memory.parts?.[name]} />
          </Field>
        ))
      ) : (
        <>
          <Field label="One-line summary">
            <input name="subtitle" defaultValue={memory.subtitle} maxLength={300} />
          </Field>
          <Field label="Text">
            <textarea name="narrative" rows={7} maxLength={20_000} defaultValue={memory.narrative} />
          </Field>
          <Field label="Facts, one per line">
            <textarea name="facts" rows={5} defaultValue={memory.facts.join('\n')} />
          </Field>
        </>
      )}
      <p class="row">
        <button type="submit" class="btn primary" disabled={isSaving || !isReachable.value}>
          Save
        </button>
        <button type="button" class="btn" onClick={onDone}>
          Cancel
        </button>
        <small>Ctrl+Enter saves, Esc cancels.</small>
      </p>
    </form>
  );
}

function Field({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

function readForm(data: FormData, memory: Memory) {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const title = text('title');
  const type = memory.type === null ? {} : { type: text('type') as MemoryType };
  if (memory.parts) {
    const parts = Object.fromEntries(SUMMARY_PARTS.map(([name]) => [name, text(name)])) as Record<
      (typeof SUMMARY_PARTS)[number][0],
      string
    >;
    return { title, ...type, parts: { ...memory.parts, ...parts } };
  }
  const facts = text('facts')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { title, ...type, subtitle: text('subtitle'), narrative: text('narrative'), facts };
}
