import { useMemo } from 'preact/hooks';
import { type Inline, parseInline, parseMarkdown, splitCode } from './markdown-tree.ts';

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class="markdown">
      {blocks.map((block, index) => {
        if (block.kind === 'code')
          return (
            <pre key={index} tabIndex={0}>
              <code>{block.text}</code>
            </pre>
          );
        if (block.kind === 'heading')
          return (
            <h3 key={index}>
              <Inlines parts={block.text} />
            </h3>
          );
        if (block.kind === 'list') {
          const items = block.items.map((item, at) => (
            <li key={at}>
              <Inlines parts={item} />
            </li>
          ));
          return block.isOrdered ? <ol key={index}>{items}</ol> : <ul key={index}>{items}</ul>;
        }
        return (
          <p key={index}>
            {block.lines.map((line, at) => (
              <span key={at}>
                {at > 0 && ' '}
                <Inlines parts={line} />
              </span>
            ))}
          </p>
        );
      })}
    </div>
  );
}

/** A single line, such as a fact. */
export function InlineMarkdown({ text }: { text: string }) {
  return <Inlines parts={parseInline(text)} />;
}

/** A single line in a link or heading, which cannot contain links: only code is formatted. */
export function InlineCode({ text }: { text: string }) {
  return <>{splitCode(text).map(({ part, isCode, at }) => (isCode ? <code key={at}>{part}</code> : part))}</>;
}

function Inlines({ parts }: { parts: Inline[] }) {
  return (
    <>
      {parts.map((part, index) => {
        if (typeof part === 'string') return part;
        if (part.kind === 'code') return <code key={index}>{part.text}</code>;
        if (part.kind === 'strong') return <strong key={index}>{part.text}</strong>;
        if (part.kind === 'em') return <em key={index}>{part.text}</em>;
        return (
          <a key={index} href={part.text} rel="noreferrer" target="_blank">
            {part.text}
          </a>
        );
      })}
    </>
  );
}
