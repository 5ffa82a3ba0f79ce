// Commit histories as memories, and questions about them made by rule.

import { execFileSync } from 'node:child_process';

const SEPARATOR = '\u001e';
const FIELD = '\u001f';
/** A pause longer than this ends a session. */
const PAUSE_MS = 6 * 3_600_000;
const LONGEST_SESSION = 30;

/** The latest commits of a repository that say something, the oldest first, one document each. */
export function documentsOf(gitDir, group, limit) {
  const format = `${SEPARATOR}%H${FIELD}%aI${FIELD}%an${FIELD}%B${FIELD}`;
  const log = execFileSync(
    'git',
    [
      `--git-dir=${gitDir}`,
      'log',
      '--no-merges',
      `--max-count=${limit}`,
      '--name-only',
      `--format=${format}`,
    ],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  const commits = log.split(SEPARATOR).slice(1).reverse().map(readCommit).filter(hasContent);
  let session = 0;
  let begun = 0;
  return commits.map((commit, order) => {
    const before = commits[order - 1];
    if (before && (commit.time - before.time > PAUSE_MS || order - begun >= LONGEST_SESSION)) {
      session++;
      begun = order;
    }
    const { id, at, speaker, title, text, files } = commit;
    return {
      id: `${group}/${id}`,
      group,
      session: `${group}/s${session}`,
      order,
      at,
      speaker,
      kind: 'observation',
      type: /^fix/i.test(title) ? 'bugfix' : 'change',
      title,
      text,
      files,
    };
  });
}

function readCommit(entry) {
  const [hash, at, speaker, message, files] = entry.split(FIELD);
  const [subject, ...rest] = message.trim().split('\n');
  const text = rest
    .filter((line) => !/^(?:[A-Z][\w-]+-by|Change-Id|Refs?|Closes|Fixes): ?/i.test(line))
    .join('\n');
  return {
    id: hash.slice(0, 12),
    at,
    time: Date.parse(at),
    speaker,
    title: subject.replace(/\s*\(#\d+\)\s*$/, ''),
    text: text.trim().slice(0, 2_000),
    files: files.trim().split('\n').filter(Boolean).slice(0, 12),
  };
}

function hasContent({ title, speaker }) {
  if (/\[bot\]|renovate|dependabot/i.test(speaker)) return false;
  return (
    title.split(/\s+/).length >= 4 &&
    !/^(?:release|bump|merge|v?\d|revert|chore\(deps|build\(deps|docs?: update changelog)/i.test(title)
  );
}
