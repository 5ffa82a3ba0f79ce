import type { DistillScript, DistillSession, PlayedCall, Point, Step, WantedSummary } from './session.ts';
import { absent } from './words.ts';

/**
 * What an expectation asks of a session that the session does not have: words that nobody says by then, a
 * file it never touches, a prompt it does not have.
 */
export function unfounded(session: DistillSession): string[] {
  const script = session.script(PROJECT);
  const prompts = session.prompts.filter((prompt) => !prompt.startsWith('/'));
  const turns = turnsOf(script).map((steps, index) =>
    [prompts[index] ?? '', ...steps.map(wordsIn)].join('\n'),
  );
  const { essentials, niceToHave = [], summaries } = session.expects;

  return [
    ...[...essentials, ...niceToHave].flatMap(({ says, title = [], files = [], prompt }) => [
      ...absent([...says, ...title], turns.slice(0, prompt).join('\n')).map(
        (words) => `nobody says ${words}`,
      ),
      ...files.filter((file) => !touches(session, script, file)).map((file) => `no file ${file}`),
      ...(prompt === undefined || turns[prompt - 1] ? [] : [`no prompt ${prompt}`]),
    ]),
    ...summaries.flatMap(({ prompt, request = [], filesRead = [], filesModified = [], ...rest }) => [
      ...absent(request, prompts[prompt - 1] ?? '').map((words) => `not in prompt ${prompt}: ${words}`),
      ...absent(learnedAndDone(rest), turns[prompt - 1] ?? '').map(
        (words) => `not in turn ${prompt}: ${words}`,
      ),
      ...[...filesRead, ...filesModified].filter((file) => !touches(session, script, file)),
    ]),
  ];
}

const PROJECT = '/project';

/** The calls of the main agent and its subagents. */
export function callsOf({ main, notification = [], subagents = {} }: DistillScript): PlayedCall[] {
  return [...main, ...notification, ...Object.values(subagents).flat()]
    .flat()
    .filter((step) => 'tool' in step);
}

/** The steps by prompt: a turn is over when the agent calls no more tools, or is stopped in one. */
export function turnsOf({ main, notification = [], subagents = {} }: DistillScript): Step[][] {
  const turns: Step[][] = [];
  let open: Step[] = [];
  for (const steps of [...main, ...notification]) {
    open.push(...steps);
    const goesOn = steps.some((step) => 'tool' in step && step.goes !== 'nowhere');
    if (goesOn) continue;
    turns.push(open);
    open = [];
  }
  turns[0]?.push(...Object.values(subagents).flat(2));
  return turns;
}

function wordsIn(step: Step): string {
  if ('text' in step) return step.text;
  return [...Object.values(step.input).map(String), step.shows ?? ''].join('\n');
}

function learnedAndDone(wanted: Omit<WantedSummary, 'prompt' | 'request'>): Point['says'] {
  const { investigated = [], learned = [], completed = [], nextSteps = [], notes = [] } = wanted;
  return [...investigated, ...learned, ...completed, ...nextSteps, ...notes];
}

function touches({ files }: DistillSession, script: DistillScript, path: string): boolean {
  const inputs = callsOf(script).map(({ input }) => input);
  const written = inputs.some(({ file_path, content }) => file_path === `${PROJECT}/${path}` && content);
  return Boolean(written) || (path in files && inputs.some((input) => JSON.stringify(input).includes(path)));
}
