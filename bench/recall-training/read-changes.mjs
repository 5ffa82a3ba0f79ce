// Merged changes of a repository as memories, and what they added to its code.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const COMMIT = '\u001e';
const FIELD = '\u001f';
const FORMAT = `${COMMIT}%H${FIELD}%aI${FIELD}%an${FIELD}%P${FIELD}%B${FIELD}`;
/** A pause longer than this ends a session. */
const PAUSE_MS = 6 * 3_600_000;
const LONGEST_SESSION = 30;
const MOST_FILES = 12;
const MOST_SYMBOLS = 15;
/** More than this is moved or generated, and a line longer than this is not written by hand. */
const MOST_ADDED = 1_500;
const LONGEST_LINE = 300;

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rs|go)$/;
const GENERATED =
  /(?:^|\/)(?:dist|vendor|_vendor|node_modules|third_party|__snapshots__)\/|\.min\.|\.pb\.go$/;
const DEFINED =
  /\b(?:function\*?|class|interface|type|enum|def|fn|struct|trait|mod)\s+([A-Za-z_$][\w$]{3,})|\bfunc\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w{3,})|\b(?:const|let|var)\s+([A-Za-z_$][\w$]{3,})\s*=\s*(?:async\s*)?(?:\(|function)/g;

/**
 * The newest changes that say something, the oldest first. Each has the hash, the numbers of its pull request and of the
 * issues it closes, its memory (title, text, files, symbols), and the added and removed lines of code.
 */
export async function readChanges(gitDir, limit) {
  const changes = [];
  let change = null;
  for await (const line of logLines(gitDir, limit)) {
    if (line.startsWith(COMMIT)) {
      change = { message: line.slice(1), file: null, files: [], context: [], added: [], removed: [] };
      changes.push(change);
    } else if (change && change.message.split(FIELD).length < 6) change.message += `\n${line}`;
    else if (change) addDiffLine(change, line);
  }
  return withSessions(changes.map(readChange).filter(hasContent).reverse());
}

function logLines(gitDir, limit) {
  const args = [
    'log',
    '--first-parent',
    '-m',
    '-p',
    '--unified=0',
    '--no-renames',
    '--no-color',
    '--no-ext-diff',
  ];
  const git = spawn('git', [`--git-dir=${gitDir}`, ...args, `--max-count=${limit}`, `--format=${FORMAT}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return createInterface({ input: git.stdout, crlfDelay: Number.POSITIVE_INFINITY });
}

function addDiffLine(change, line) {
  if (line.startsWith('diff --git ')) {
    change.file = line.slice(line.lastIndexOf(' b/') + 3);
    change.files.push(change.file);
    change.isCode = CODE.test(change.file) && !GENERATED.test(change.file);
  } else if (!change.isCode || line.startsWith('+++') || line.startsWith('---') || line.length > LONGEST_LINE)
    return;
  else if (line.startsWith('@@')) change.context.push(line.slice(line.indexOf('@@', 2) + 2));
  else if (line.startsWith('+') && change.added.length < MOST_ADDED)
    change.added.push({ file: change.file, text: line.slice(1) });
  else if (line.startsWith('-') && change.removed.length < MOST_ADDED) change.removed.push(line.slice(1));
}

function readChange({ message, files, context, added, removed }) {
  const [hash, at, author, parents, body] = message.split(FIELD);
  const lines = body.trim().split('\n');
  const merged = /^Merge pull request #(\d+)/.exec(lines[0]);
  if (merged) lines.splice(0, lines[1]?.trim() === '' ? 2 : 1);
  const [subject = '', ...rest] = lines;
  const [, squashed] = /\(#(\d+)\)\s*$/.exec(subject) ?? [];
  const text = rest
    .filter((line) => !/^(?:[A-Z][\w-]+-by|Change-Id|PiperOrigin-RevId|PR-URL): ?/i.test(line))
    .join('\n')
    .trim();
  return {
    hash,
    at,
    author,
    number: merged?.[1] ?? squashed ?? null,
    closes: [
      ...body.matchAll(/\b(?:fix(?:es|ed)?|clos(?:es?|ed)|resolv(?:es?|ed)):? (?:\S*\/issues\/|#)(\d+)/gi),
    ].map(([, number]) => number),
    isMerge: parents.includes(' ') && !merged,
    title: subject.replace(/\s*\(#\d+\)\s*$/, ''),
    text: text.slice(0, 2_000),
    message: body,
    files: files.slice(0, MOST_FILES),
    symbols: symbolsOf([...context, ...added.map(({ text: line }) => line), ...removed]),
    added,
    removed,
  };
}

export function symbolsOf(lines) {
  const names = new Set();
  for (const line of lines) {
    for (const [, one, two, three] of line.matchAll(DEFINED)) names.add(one ?? two ?? three);
    if (names.size >= MOST_SYMBOLS) break;
  }
  return [...names].slice(0, MOST_SYMBOLS);
}

function hasContent({ title, author, isMerge }) {
  if (isMerge || /\[bot\]|renovate|dependabot|-bot$/i.test(author)) return false;
  return (
    title.split(/\s+/).length >= 3 &&
    !/^(?:release|bump|merge|v?\d+\.|version packages|publish|update (?:changelog|dependenc)|prepare .*release|(?:chore|build|fix)\((?:deps|release)|chore: release|docs?: update changelog)/i.test(
      title,
    )
  );
}

function withSessions(changes) {
  let session = 0;
  let begun = 0;
  return changes.map((change, order) => {
    const before = changes[order - 1];
    if (
      before &&
      (Date.parse(change.at) - Date.parse(before.at) > PAUSE_MS || order - begun >= LONGEST_SESSION)
    ) {
      session++;
      begun = order;
    }
    return { ...change, session, order };
  });
}
