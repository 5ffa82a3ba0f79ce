import { posix } from 'node:path';

/** One program of a command line, without what only prepares it or trims its output. */
export interface ShellStep {
  /** As typed, without variables set before it. */
  text: string;
  words: string[];
  /** Variables set for this step alone: `PORT=3001 npm start`. */
  variables: string[];
  /** Where `cd` had gone before it; empty in the session's own folder. */
  folder: string;
  /** Its output goes through another program, whose exit code hides its own. */
  isPiped: boolean;
}

/** A command line longer than this is a script; its beginning tells what it is. */
const LONGEST_LINE = 2_000;

const prepares = new Set(['cd', 'export', 'set', 'source', '.', 'true', 'pushd', 'popd', 'sleep', 'clear']);
const trims = new Set(['tail', 'head', 'tee', 'cat', 'less', 'more', 'sort', 'uniq', 'wc']);
const wraps = new Set(['sudo', 'time', 'command', 'exec', 'nohup', 'env', 'xvfb-run']);

/** The steps of a command line in their order; of a pipe only what feeds it. */
export function splitShell(commandLine: string): ShellStep[] {
  let folder = '';
  const parts = splitOutsideQuotes(commandLine.slice(0, LONGEST_LINE));
  return parts.flatMap(({ text, piped }, index) => {
    const step = readStep(text);
    const [program = '', target = ''] = step.words;
    if (program === 'cd' || program === 'pushd')
      folder = target.startsWith('/') ? target : posix.join(folder, target);
    if (program === '' || prepares.has(program) || (piped && trims.has(program))) return [];
    return [{ ...step, folder, isPiped: parts[index + 1]?.piped === true }];
  });
}

function readStep(raw: string): Pick<ShellStep, 'text' | 'words' | 'variables'> {
  let text = raw
    .replace(/\s\d?>{1,2}&?\s*\S+|\s<\s*\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const variables: string[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    const variable = /^([A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*))\s+(?=\S)/.exec(text);
    const wrapper = /^(\S+)\s+(?=\S)/.exec(text);
    const timeout = /^timeout(?:\s+-\S+)*\s+\d+\w?\s+/.exec(text);
    const drop = variable ?? timeout ?? (wrapper && wraps.has(wrapper[1] ?? '') ? wrapper : null);
    if (drop) {
      if (variable) variables.push(variable[1] ?? '');
      text = text.slice(drop[0].length);
      changed = true;
    }
  }
  return { text, words: text.split(' ').filter((word) => word !== ''), variables };
}

function splitOutsideQuotes(line: string): { text: string; piped: boolean }[] {
  const parts: { text: string; piped: boolean }[] = [];
  let quote = '';
  let piped = false;
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === '\\') at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ';' || char === '\n' || char === '|' || (char === '&' && line[at + 1] === '&')) {
      parts.push({ text: line.slice(start, at), piped });
      piped = char === '|' && line[at + 1] !== '|';
      if (line[at + 1] === char) at++;
      start = at + 1;
    }
  }
  parts.push({ text: line.slice(start), piped });
  return parts;
}
