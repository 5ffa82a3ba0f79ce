import type { Run } from './runs.ts';

export interface Commit {
  event: number;
  place: number;
  /** The first line of its message, as the person would find it in the log. */
  subject: string;
  body: string;
  hash: string | undefined;
  /** Those that `--stat` showed. */
  files: string[];
  /** It takes an earlier commit back. */
  isRevert: boolean;
}

/** What `git commit` prints, or `git log --oneline` after it. */
const printed = /^\[\S+(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/m;
const logged = /^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$/m;
const stat = /^ (\S+)\s+\|\s+(?:\d+|Bin)/gm;

export function findCommits(runs: Run[]): Commit[] {
  return runs.flatMap((run) => {
    const command = run.call.command ?? '';
    if (
      run.call.outcome !== 'success' ||
      !/\bgit\b[^|;&\n]*\b(?:commit|revert)\b/.test(command.slice(0, 2_000))
    )
      return [];
    const message = messageIn(command);
    const [first = ''] = message.split('\n');
    const [, hash, shown] = printed.exec(run.output) ?? logged.exec(run.output) ?? [];
    const subject = (first || (shown ?? '')).trim();
    const files = [...run.output.matchAll(stat)].map(([, path = '']) => path);
    // A loop of a shell makes commits to try something on, not to keep.
    if (subject === '' || /\$[\w{(]/.test(subject)) return [];
    const body = message
      .split('\n')
      .slice(1)
      .filter((line) => !/^[\w-]+-by:|generated with/i.test(line))
      .join('\n')
      .trim();
    const isRevert = /^Revert "/.test(subject);
    return [
      { event: run.call.event, place: run.place, subject, body, hash: hash?.slice(0, 10), files, isRevert },
    ];
  });
}

/** The message as given on the command line: several -m, or a here-document. */
function messageIn(command: string): string {
  const hereDocument = /<<-?\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\s*\1\b/.exec(command.slice(0, 8_000))?.[2];
  if (hereDocument !== undefined) return hereDocument.trim();
  return [
    ...command.slice(0, 4_000).matchAll(/\s(?:-\w*m|--message)[=\s]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g),
  ]
    .map(([, double, single]) => (double?.replace(/\\(["\\`$])/g, '$1') ?? single ?? '').trim())
    .join('\n\n');
}

/** Made on the way, to be joined with others later. */
export function isInterim({ subject }: Commit): boolean {
  return /^(?:wip|tmp|temp|fixup!|squash!|save|checkpoint)\b/i.test(subject);
}

/** “fix(cart): round cents” → “Round cents”, as a heading. */
export function headingOf({ subject }: Commit): string {
  const words = subject.replace(/^(?:\w+)(?:\([^)]*\))?!?:\s+/, '');
  return (words[0] ?? '').toUpperCase() + words.slice(1);
}
