import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { send } from '../api/call.ts';
import type { Memory, MemoryType } from '../api/types.ts';
import { isReachable } from '../api/worker-state.ts';
import { SUMMARY_PARTS } from '../parts/summary-parts.ts';
import { typeName } from '../parts/type-mark.tsx';
import { showFailure, showToast } from '../shell/toast.tsx';

type EditedMemory = Partial<Pick<Memory, 'title' | 'subtitle' | 'narrative' | 'facts'>> & {
  type?: MemoryType;
  parts?: NonNullable<Memory['parts']>;
};

/** Edits a memory, which distilling then leaves alone. */
export function MemoryEditor({ memory, onDone }: { memory: Memory; onDone(): void }) {
  const form = useRef<HTMLFormElement>(null);
  const [isSaving, setSaving] = useState(false);
  // Before the form is painted: the first keys of a fast typist belong to it.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.current) return;
    setSaving(true);
    try {
      const body = readChanges(new FormData(form.current), memory);
      if (Object.keys(body).length > 0) {
        await send('PATCH', '/api/memories/{id}', { params: { id: memory.id }, body });
        showToast(`Saved #${memory.id}.`);
      }
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

/** Only edited fields: a text that is too long for a request, or displayed differently, stays unchanged. */
function readChanges(data: FormData, memory: Memory): EditedMemory {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  // A form submits line breaks as CR LF.
  const isEdited = (name: string, before = '') => text(name).replaceAll('\r\n', '\n') !== before.trim();
  const edited: EditedMemory = {};
  if (isEdited('title', memory.title)) edited.title = text('title');
  if (memory.type !== null && text('type') !== memory.type) edited.type = text('type') as MemoryType;
  if (memory.parts) {
    const { parts } = memory;
    const changed = SUMMARY_PARTS.filter(([name]) => isEdited(name, parts[name]));
    if (changed.length > 0)
      edited.parts = { ...parts, ...Object.fromEntries(changed.map(([name]) => [name, text(name)])) };
    return edited;
  }
  if (isEdited('subtitle', memory.subtitle)) edited.subtitle = text('subtitle');
  if (isEdited('narrative', memory.narrative)) edited.narrative = text('narrative');
  if (isEdited('facts', memory.facts.join('\n')))
    edited.facts = text('facts')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return edited;
}
