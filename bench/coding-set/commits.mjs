import { execFileSync } from 'node:child_process';

const FIELD = '\x1f';
const RECORD = '\x1e';
const MOST_WORDS_OF_A_BODY = 700;
const MOST_FACTS = 6;
const MOST_FILES = 8;

const TYPES = {
  feat: 'feature',
  fix: 'bugfix',
  bug: 'bugfix',
  hotfix: 'bugfix',
  refactor: 'refactor',
  style: 'refactor',
};

/** The latest commits of a repository up to its pinned head, as memories, the oldest first. */
export function memoriesOfCommits(gitDir, { group, head, commits }) {
  const format = `${RECORD}%H${FIELD}%aI${FIELD}%an${FIELD}%s${FIELD}%b${FIELD}`;
  const log = execFileSync(
    'git',
    ['-C', gitDir, 'log', '--no-merges', '--name-only', `--format=${format}`, head],
    {
      encoding: 'utf8',
      maxBuffer: 512 * 1024 * 1024,
    },
  );
  const kept = [];
  for (const record of log.split(RECORD).slice(1)) {
    const [hash, at, author, subject, body, files] = record.split(FIELD);
    if (isChore(author, subject)) continue;
    const memory = asMemory({ subject, body, files });
    if (!hasContent(memory)) continue;
    kept.push({ id: `${group}-${hash.slice(0, 7)}`, group, at, ...memory });
    if (kept.length === commits) break;
  }
  return kept.reverse().map((memory, order) => ({
    ...memory,
    order,
    // A day's work is what comes nearest to a session.
    session: `${group}-${memory.at.slice(0, 10)}`,
    branch: 'main',
    kind: 'observation',
    said_by: 'distiller',
  }));
}

function isChore(author, subject) {
  return (
    /\[bot\]|dependabot|renovate/i.test(author) ||
    /^(v?\d+\.\d+|version \d|release|prepare|bump |merge |revert |chore\((deps|release)|build\(deps|chore: (bump|release|update (deps|dependencies)))/i.test(
      subject,
    ) ||
    /sponsor|typo\b|^[^:]*: revert|gitignore/i.test(subject)
  );
}

function asMemory({ subject, body, files }) {
  const bare = subject.replace(/\s*\(#\d+\)\s*$/, '').trim();
  const [, word = '', scope = '', rest = bare] = bare.match(/^(\w+)(?:\(([^)]+)\))?!?:\s+(.*)$/) ?? [];
  const isConventional = /^(feat|fix|bug|hotfix|refactor|perf|docs?|test|chore|style|ci|build)$/i.test(word);
  const title = isConventional ? rest : bare;
  const { narrative, facts } = partsOf(body, title);
  return {
    type: typeOf(isConventional ? word.toLowerCase() : '', title),
    title: title.charAt(0).toUpperCase() + title.slice(1),
    text: narrative,
    facts,
    concepts: isConventional && scope ? scope.split(/[,/]\s*/) : [],
    files: filesOf(files),
  };
}

function typeOf(word, title) {
  if (TYPES[word]) return TYPES[word];
  if (word) return 'change';
  const verb = title.replace(/^[\w/, -]+:\s*/, '');
  if (/^(fix|correct|prevent|handle|avoid|resolve)/i.test(verb)) return 'bugfix';
  if (/^(add|support|implement|introduce|allow|new|expose|enable)/i.test(verb)) return 'feature';
  if (/^(refactor|rename|move|simplify|clean|remove|drop|extract|reorgani[sz]e)/i.test(verb))
    return 'refactor';
  return 'change';
}

/** Lines that begin with a star or a dash are facts; the rest is the story. */
function partsOf(body, title) {
  const blocks = withoutForm(body)
    .split(/\n(?=[*-] )|\n\s*\n/)
    .map((block) => block.replace(/\s*\n\s*/g, ' ').trim())
    .filter((block) => block && !isBookkeeping(block));
  const facts = blocks
    .filter((block) => /^[*-] /.test(block))
    .map((block) => block.slice(2).replace(/^\w+(\([^)]+\))?!?:\s+/, ''))
    .filter((fact) => fact.length > 25 && !fact.includes(title) && !title.includes(fact));
  const story = blocks.filter((block) => !/^[*-] /.test(block)).join('\n');
  return {
    narrative: cutAtSentence(story, MOST_WORDS_OF_A_BODY),
    facts: [...new Set(facts)].slice(0, MOST_FACTS).map((fact) => cutAtSentence(fact, 200)),
  };
}

/** What a form for pull requests leaves behind, and who signed. */
function withoutForm(body) {
  return body
    .replace(/\r/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^-{3,}$/gm, '')
    .replace(/^.*(generated with|written by) \[.*$/gim, '')
    .replace(/^this reverts commit.*$/gim, '')
    .replace(/, using gemini [\d.]+/gi, '')
    .replace(/^.*(ai-generated|assistance of|hand-rolled).*$/gim, '')
    .replace(
      /^(co-authored-by|co-developed-by|signed-off-by|reviewed-by|reported-by|cc|helped-by):.*$/gim,
      '',
    )
    .replace(/^#{1,4} .*$/gm, '')
    .replace(/^\s*[-*] \[[ x]*\].*(\n(?!\s*[-*] )[ \t]*\S.*)*/gim, '')
    .replace(/<\/?(img|a|picture|source|details|summary|pre|code)\b[^>]*>/gi, '')
    .replace(/\S+@\S+\.\w+/g, '')
    .replace(/@[\w-]+/g, (mention) => (mention.length > 2 && !mention.includes('/') ? mention : ''))
    .replace(/```[\s\S]*?```/g, (block) => (block.length > 400 ? '' : block));
}

function isBookkeeping(block) {
  return (
    /^[*-] (lint|format|fmt|run |ci:|typo|wip|nit|update test|add tests?|fix tests?|review|address|apply|merge|tweak|linting|update docs?|cleanup|drop unused)/i.test(
      block,
    ) || /^(closes|fixes|resolves|refs?|see|related to|ref:)[: ]+(#|http)\S+\.?$/i.test(block)
  );
}

function cutAtSentence(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('\n'), cut.lastIndexOf('.\n'));
  return end > most / 2 ? cut.slice(0, end + 1).trim() : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

function filesOf(names) {
  return names
    .split('\n')
    .filter(
      (name) =>
        name &&
        !/(^|\/)(Cargo\.lock|package-lock\.json|bun\.lockb?|yarn\.lock|go\.sum|CHANGELOG\.md)$/.test(name),
    )
    .slice(0, MOST_FILES);
}

function hasContent({ title, text, facts }) {
  return text.length + facts.join('').length >= 60 || title.split(/\s+/).length >= 9;
}
