import { useState } from 'preact/hooks';
import { get, send } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Dialog } from '../parts/dialog.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { TypeMark, typeOf } from '../parts/type-mark.tsx';
import { navigate } from '../shell/router.ts';
import { showFailure, showToast } from '../shell/toast.tsx';

/** Replaces the memory by another one; agents get only that one. */
export function ReplaceDialog({ memory, onClose }: { memory: Memory; onClose(): void }) {
  const replace = async (by: number | null) => {
    try {
      await send('POST', '/api/memories/{id}/supersede', { params: { id: memory.id }, body: { by } });
      showToast(by === null ? `#${memory.id} is active again.` : `#${by} replaces #${memory.id}.`);
      onClose();
      if (by !== null) navigate(`/m/${by}`);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Dialog title={`Replace #${memory.id} with another memory`} onClose={onClose}>
      <p class="quiet">
        Agents are given the other one instead. #{memory.id} stays, and can be brought back.
      </p>
      {memory.supersededBy !== null && (
        <button type="button" class="btn" onClick={() => replace(null)}>
          Take back: #{memory.supersededBy} no longer replaces it
        </button>
      )}
      <MemoryPicker exclude={memory.id} start={memory.title} onPick={replace} />
    </Dialog>
  );
}

/** Merges other memories into this one, which replaces them. */
export function MergeDialog({ memory, onClose }: { memory: Memory; onClose(): void }) {
  const merge = async (from: number) => {
    try {
      await send('POST', '/api/memories/{id}/merge', { params: { id: memory.id }, body: { from: [from] } });
      showToast(`Merged #${from} into #${memory.id}.`);
      onClose();
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Dialog title={`Merge another memory into #${memory.id}`} onClose={onClose}>
      <p class="quiet">
        Anything new in it is added to #{memory.id}, and #{memory.id} replaces it.
      </p>
      <MemoryPicker exclude={memory.id} start={memory.title} onPick={merge} />
    </Dialog>
  );
}

/** Finds a memory by number or words, starting with the most similar ones. */
function MemoryPicker({
  exclude,
  start,
  onPick,
}: {
  exclude: number;
  start: string;
  onPick(id: number): void;
}) {
  const [text, setText] = useState('');
  const wanted = text.trim() || start;
  const number = /^#?(\d{1,15})$/.exec(wanted)?.[1];
  const { data } = useAnswer(`pick ${wanted}`, async (signal): Promise<Memory[]> => {
    if (number !== undefined)
      return [(await get('/api/memories/{id}', { params: { id: Number(number) }, signal })).memory];
    // A title is no query: nothing in it is an operator.
    const q = wanted.replace(/[":*]/g, ' ').replaceAll('NOT', 'not').trim();
    const { hits } = await get('/api/search', { query: { q, limit: 12, typing: 'true' }, signal });
    return hits.flatMap(({ memory }) => memory ?? []);
  });
  const found = (data ?? []).filter(({ id }) => id !== exclude).slice(0, 8);
  return (
    <>
      <label class="field">
        <span>Number or words</span>
        <input
          value={text}
          placeholder="#2586, or some words"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <ul class="picks">
        {found.map((memory) => (
          <li key={memory.id}>
            <button type="button" onClick={() => onPick(memory.id)}>
              <TypeMark type={typeOf(memory)} isSmall />
              <span>
                <InlineCode text={memory.title} />
              </span>
              <small class="num">#{memory.id}</small>
            </button>
          </li>
        ))}
        {data && found.length === 0 && <li class="quiet">No other memory matches.</li>}
      </ul>
    </>
  );
}
