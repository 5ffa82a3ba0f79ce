// Questions about merged changes in words that somebody wrote elsewhere: in the changelog, in a later change, in the code.

import { execFileSync } from 'node:child_process';
import { fileIn } from './git-files.mjs';
import { readChanges, symbolsOf } from './read-changes.mjs';
import { shuffled, wordsOf } from './words.mjs';

const CHANGELOG =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_]?notes|breaking_changes)[^/]*(?:\/[^/]*)?\.(?:md|rst|txt)$/i;
const MOST_CHANGELOGS = 60;
/** Of each kind at most this many, so that none decides alone. */
const MOST_OF_KIND = 60;
const MOST_RELEVANT = 3;
const WORDS = { least: 3, most: 50 };
/** With more words of the title than this share the question is the title. */
const TITLE_SHARE = 0.75;
const SAYS_WHY =
  /regress|follow[- ]?up|introduc|broke|broken|since|caused|revert|after|partial|undo|amend|missed|forgot|oversight/i;

/**
 * A set in the format of `npm run bench -- recall`: {documents, questions}.
 * @param random gives numbers from 0 to 1, always the same ones.
 */
export async function makeChangeSet(gitDir, group, limit, random) {
  const changes = await readChanges(gitDir, limit);
  const followUps = askByFollowUps(changes);
  // A change that is asked with would answer itself.
  const asking = new Set(followUps.map(({ from }) => from));
  const remembered = changes.filter((change) => !asking.has(change));
  const kinds = {
    changelog: askByChangelog(gitDir, remembered),
    'follow-up': followUps,
    error: askByLines(remembered, errorsIn),
    test: askByLines(remembered, testNameIn),
    comment: askByLines(remembered, commentIn),
    symbol: askBySymbols(remembered, random),
  };
  const isKnown = new Set(remembered);
  const questions = Object.entries(kinds).flatMap(([category, asked]) =>
    shuffled(
      asked.filter(
        ({ text, changes: meant }) => meant.every((one) => isKnown.has(one)) && isFair(category, text, meant),
      ),
      random,
    )
      .slice(0, MOST_OF_KIND)
      .map(({ text, changes: meant }, index) => ({
        id: `${group}/${category}/${index}`,
        group,
        text,
        category,
        relevant: meant.map((change) => idOf(group, change)),
      })),
  );
  return { documents: remembered.map((change) => documentOf(group, change)), questions };
}

function documentOf(group, change) {
  const { at, author, title, text, files, symbols, session, order } = change;
  return {
    id: idOf(group, change),
    group,
    session: `${group}/s${session}`,
    order,
    at,
    speaker: author,
    kind: 'observation',
    type: /^fix/i.test(title) ? 'bugfix' : 'change',
    ...{ title, text, files, symbols },
  };
}

function idOf(group, { hash }) {
  return `${group}/${hash.slice(0, 12)}`;
}

function isFair(category, text, meant) {
  const words = wordsOf(text.toLowerCase());
  if (category === 'symbol') return words.length > 0;
  if (words.length < WORDS.least || words.length > WORDS.most) return false;
  return meant.every(({ title }) => {
    const inTitle = new Set(wordsOf(title.toLowerCase()));
    return words.filter((word) => inTitle.has(word)).length / Math.max(words.length, 1) < TITLE_SHARE;
  });
}

/** Entries that name a pull request, a commit, or an issue that a single change closes. */
function askByChangelog(gitDir, changes) {
  const find = finderOf(changes);
  const seen = new Set();
  return changelogsIn(gitDir).flatMap((entry) => {
    const meant = [...new Set(referencesIn(entry).flatMap((reference) => find(reference) ?? []))];
    const text = withoutReferences(entry);
    if (meant.length === 0 || meant.length > MOST_RELEVANT || seen.has(text)) return [];
    seen.add(text);
    return [{ text, changes: meant }];
  });
}

function changelogsIn(gitDir) {
  const paths = execFileSync('git', [`--git-dir=${gitDir}`, 'ls-tree', '-r', '--name-only', 'HEAD'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
    .split('\n')
    .filter((path) => CHANGELOG.test(path))
    .slice(0, MOST_CHANGELOGS);
  return paths.flatMap((path) => entriesOf(fileIn(gitDir, path)));
}

/** A point of a list with the lines that continue it. */
function entriesOf(text) {
  const entries = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const [, point] = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(line) ?? [];
    if (point !== undefined) entries.push(point);
    else if (isOpen && /^\s+\S/.test(line)) entries[entries.length - 1] += ` ${line.trim()}`;
    isOpen = point !== undefined || (isOpen && line.trim() !== '');
  }
  return entries;
}

function referencesIn(text) {
  return [...text.matchAll(/(?:#|\/(?:pull|issues)\/|:(?:pr|issue|pull):`)(\d+)|\b([0-9a-f]{7,40})\b/g)].map(
    ([, number, hash]) => number ?? hash,
  );
}

function withoutReferences(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/:\w+:`([^`<]*)(?:<[^>]*>)?`/g, '$1')
    .replace(/`([^`]*?)\s*<[^>]*>`_+/g, '$1')
    .replace(/\b(?:by|thanks(?: to)?|via)\s+@[\w-]+(?:\[bot\])?|@[\w-]+(?![\w/-])/gi, ' ')
    .replace(/(?:[\w.-]+\/[\w.-]+)?#\d+|\bGH-\d+|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, ' ')
    .replace(/\((?:[\s,;&]|and|in|see|PR|closes|fixes|by [\w-]+)*\)|\[[\s,;]*\]|[*]{2}/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** By number of the pull request or issue, or by the beginning of the hash. */
function finderOf(changes) {
  const byNumber = new Map();
  const byIssue = new Map();
  const byHash = new Map();
  for (const change of changes) {
    if (change.number) byNumber.set(change.number, change);
    for (const issue of change.closes) byIssue.set(issue, byIssue.has(issue) ? null : change);
    byHash.set(change.hash.slice(0, 7), change);
  }
  return (reference) => {
    const found = byNumber.get(reference) ?? byIssue.get(reference) ?? byHash.get(reference.slice(0, 7));
    return found ?? null;
  };
}

/** "Fixes a regression from #123": the title of the later change, or why it reverts the earlier one. */
function askByFollowUps(changes) {
  const find = finderOf(changes);
  return changes.flatMap((from) => {
    if (/cherry[- ]pick|backport/i.test(from.message)) return [];
    const reverts = /^revert/i.test(from.title);
    const said = from.message.split(/(?<=[.!?])\s|\n/).filter((part) => reverts || SAYS_WHY.test(part));
    const meant = [...new Set(said.flatMap(referencesIn).map(find))].filter(
      (one) => one && one.order < from.order,
    );
    if (meant.length !== 1) return [];
    const reason = from.text.replace(/This reverts commit [0-9a-f]+\.?|Revert(?:s|ed)? \S+|"[^"]*"/gi, ' ');
    const text = withoutReferences(reverts ? reason.split('\n').slice(0, 4).join(' ') : from.title);
    return [{ text, changes: meant, from }];
  });
}

/** What was written into the code by one change only. */
function askByLines(changes, read) {
  const authors = new Map();
  for (const change of changes) {
    const removed = new Set(change.removed.flatMap((line) => read(line, '')));
    for (const { file, text } of change.added)
      for (const said of read(text, file)) {
        if (removed.has(said)) continue;
        const others = authors.get(said) ?? new Set();
        authors.set(said, others.add(change));
      }
  }
  const asked = new Map();
  for (const [text, those] of authors) {
    const [change] = those;
    // One of each kind for a change: a large one would be asked for all the time.
    if (those.size === 1 && !asked.has(change)) asked.set(change, { text, changes: [change] });
  }
  return [...asked.values()];
}

const RAISED =
  /(?:throw new \w+|new \w*(?:Error|Exception)|raise \w+|errors\.New|fmt\.Errorf|panic!?|anyhow!|bail!|status\.Errorf?|log\.Fatal\w*|expect)\(\s*(?:[\w.]+,\s*)?[a-z]?(["'`])((?:\\.|(?!\1).)+)\1/g;

function errorsIn(line) {
  return [...line.matchAll(RAISED)].map(([, , text]) =>
    text
      .replace(/\$\{[^}]*\}|\{[^}]*\}|%[-+#]?\w|\\[nrt"'`]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

function testNameIn(line) {
  const [, quote, described] =
    /\b(?:it|test|describe)(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\1).)+)\1/.exec(line) ?? [];
  if (quote) return [described.replace(/\\/g, '')];
  const [, name] =
    /\b(?:def|fn) (test_\w+)|\bfunc (Test\w+)\(|\bfn (\w+_\w+_\w+)\(\)/.exec(line)?.filter(Boolean) ?? [];
  return name ? [splitName(name.replace(/^test_?/i, ''))] : [];
}

function commentIn(line) {
  const [, text] = /^\s*(?:\/\/+!?|#(?![![])|\*(?!\/))\s+(.{25,})$/.exec(line) ?? [];
  return text &&
    /[a-z] [a-z]/.test(text) &&
    !/eslint|copyright|licen[sc]e|noqa|prettier|@\w|[{};]$/i.test(text)
    ? [text.replace(/\*\/\s*$/, '').trim()]
    : [];
}

/** Names that one change defined, as they are or in words. */
function askBySymbols(changes, random) {
  return askByLines(changes, (line) => symbolsOf([line]).filter((name) => /[a-z][A-Z]|_/.test(name))).map(
    (asked) => ({
      ...asked,
      text: random() < 0.5 ? asked.text : splitName(asked.text),
    }),
  );
}

function splitName(name) {
  return name
    .replace(/_+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
}
