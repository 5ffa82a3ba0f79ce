import { useState } from 'preact/hooks';
import { get } from '../api/call.ts';
import type { Memory, Story } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { formatNumber } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { LongList } from '../parts/long-list.tsx';
import { InlineCode, InlineMarkdown, Markdown } from '../parts/markdown.tsx';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { SUMMARY_PARTS } from '../parts/summary-parts.ts';
import { Time } from '../parts/time.tsx';
import { TypeMark, typeName, typeOf } from '../parts/type-mark.tsx';
import { useKeys } from '../shell/keys.ts';
import { navigate } from '../shell/router.ts';
import { copyNumber, forgetWithUndo, togglePin } from './memory-actions.ts';
import { Around } from './memory-around.tsx';
import { MemoryEditor } from './memory-editor.tsx';
import { MergeDialog, ReplaceDialog } from './memory-replace.tsx';
import { ShareLine } from './memory-share.tsx';
import { Files, History, Origin, WhyGiven } from './memory-story.tsx';
import { selected, toggleSelected } from './selection.ts';

type Mode = 'read' | 'edit' | 'replace' | 'merge';

/** One memory: its text, its source and its actions. */
export function MemoryPane({
  id,
  backHref,
  nextHref = backHref,
}: {
  id: number;
  backHref: string;
  /** The address to open after the memory is forgotten. */
  nextHref?: string;
}) {
  const { data, error, isSlow, reload } = useAnswer(
    `memory ${id}`,
    (signal) => get('/api/memories/{id}', { params: { id }, signal }),
    (change) => change.what === 'memory' && change.id === id,
  );
  return (
    <section class="pane" aria-label={`Memory ${id}`}>
      {data ? (
        <MemoryBody key={id} story={data} backHref={backHref} nextHref={nextHref} onChanged={reload} />
      ) : (
        <div class="pane-body">
          <a class="btn back" href={backHref}>
            <Icon name="back" size={14} /> Back
          </a>
          {error && <ErrorNote error={error} what={`Memory #${id} cannot be shown`} onRetry={reload} />}
          {!error && isSlow && <LoadingRows rows={5} />}
        </div>
      )}
    </section>
  );
}

function MemoryBody({
  story,
  backHref,
  nextHref,
  onChanged,
}: {
  story: Story;
  backHref: string;
  nextHref: string;
  onChanged(): void;
}) {
  const [mode, setMode] = useState<Mode>('read');
  const { memory } = story;
  const forget = () =>
    forgetWithUndo({ memories: [memory.id] }, `#${memory.id}`, () => navigate(nextHref, { replace: true }));
  useKeys({
    e: { label: 'Edit this memory', run: () => setMode('edit') },
    p: {
      label: memory.pinnedAt === null ? 'Pin this memory' : 'Unpin this memory',
      run: () => togglePin(memory),
    },
    s: { label: 'Replace this memory with another', run: () => setMode('replace') },
    m: { label: 'Merge others into this memory', run: () => setMode('merge') },
    c: { label: 'Copy the memory number', run: () => copyNumber(memory.id) },
    x: { label: 'Select this memory', run: () => toggleSelected(memory.id) },
    Backspace: { label: 'Forget this memory', run: forget },
  });
  const isOff = !isReachable.value;
  return (
    <>
      <div class="pane-bar" role="toolbar" aria-label="Actions">
        <a class="btn back" href={backHref}>
          <Icon name="back" size={14} /> Back
        </a>
        <Action label="Edit" keyName="E" isOff={isOff} onRun={() => setMode('edit')} />
        <Action
          label={memory.pinnedAt === null ? 'Pin' : 'Unpin'}
          keyName="P"
          isOff={isOff}
          onRun={() => togglePin(memory)}
        />
        <Action label="Replace" keyName="S" isOff={isOff} onRun={() => setMode('replace')} />
        <Action label="Merge" keyName="M" isOff={isOff} onRun={() => setMode('merge')} />
        <Action label="Forget" keyName="⌫" isOff={isOff} isDanger onRun={forget} />
      </div>
      <div class="pane-body scroll" tabIndex={0} role="group" aria-label={`Text of memory ${memory.id}`}>
        {mode === 'edit' ? (
          <MemoryEditor memory={memory} onDone={() => setMode('read')} />
        ) : (
          <MemoryText story={story} onChanged={onChanged} />
        )}
      </div>
      {mode === 'replace' && <ReplaceDialog memory={memory} onClose={() => setMode('read')} />}
      {mode === 'merge' && <MergeDialog memory={memory} onClose={() => setMode('read')} />}
    </>
  );
}

function Action({
  label,
  keyName,
  isOff,
  isDanger = false,
  onRun,
}: {
  label: string;
  keyName: string;
  isOff: boolean;
  isDanger?: boolean;
  onRun(): void;
}) {
  return (
    <button type="button" class={isDanger ? 'btn danger' : 'btn'} disabled={isOff} onClick={onRun}>
      {label} <kbd aria-hidden="true">{keyName}</kbd>
    </button>
  );
}

function MemoryText({ story, onChanged }: { story: Story; onChanged(): void }) {
  const { memory, sharing } = story;
  const type = typeOf(memory);
  return (
    <>
      <p class={`kind t-${type}`}>
        <TypeMark type={type} />
        <b aria-hidden="true">{typeName(type)}</b>
        <span>
          #{memory.id} · <Time at={memory.at} /> · {formatNumber(memory.tokens)} tokens
        </span>
        {memory.pinnedAt !== null && <span class="tag accent">pinned</span>}
        <label class="check select">
          <input
            type="checkbox"
            checked={selected.value.has(memory.id)}
            onChange={() => toggleSelected(memory.id)}
          />
          Select <kbd aria-hidden="true">X</kbd>
        </label>
        {memory.scope === 'global' && <span class="tag grey">all projects</span>}
        {memory.author !== null && <span class="tag grey">from {memory.author}</span>}
        {memory.supersededBy !== null && (
          <a class="tag warn" href={`/m/${memory.supersededBy}`}>
            replaced by #{memory.supersededBy}
          </a>
        )}
      </p>
      {sharing && memory.author === null && (
        <ShareLine memory={memory} sharing={sharing} onChanged={onChanged} />
      )}
      <h1>
        <InlineCode text={memory.title} />
      </h1>
      {memory.subtitle !== '' && memory.narrative === '' && (
        <p class="lead">
          <InlineCode text={memory.subtitle} />
        </p>
      )}
      {memory.narrative !== '' && <Markdown text={memory.narrative} />}
      {memory.parts && <SummaryParts parts={memory.parts} />}
      {memory.facts.length > 0 && (
        <section class="part">
          <h2>Facts</h2>
          <LongList
            name="facts"
            items={memory.facts}
            render={(fact) => (
              <li key={fact}>
                <InlineMarkdown text={fact} />
              </li>
            )}
          />
        </section>
      )}
      <WhyGiven story={story} />
      <Files story={story} />
      <Origin story={story} />
      <History story={story} />
      <Around memory={memory} />
    </>
  );
}

function SummaryParts({ parts }: { parts: NonNullable<Memory['parts']> }) {
  return (
    <>
      {SUMMARY_PARTS.filter(([name]) => parts[name] !== '').map(([name, title]) => (
        <section class="part" key={name}>
          <h2>{title}</h2>
          <Markdown text={parts[name]} />
        </section>
      ))}
    </>
  );
}
