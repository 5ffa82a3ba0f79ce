import { rmSync } from 'node:fs';
import type { Agent } from '../agents/agent.ts';
import { checkoutOf } from '../capture/place.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { storedBranchOf, storedPlaceOf } from '../capture/stored-place.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { type Context, joined, NO_CONTEXT, type Shown } from '../context/context.ts';
import { fileIntro, offersForFile, pathFromTop } from '../context/file.ts';
import { asContext, type Offer } from '../context/given.ts';
import { dropKnownFile, writeKnownFiles } from '../context/known-files.ts';
import { type Scene, sceneAt } from '../context/scene.ts';
import { startContext } from '../context/start/start.ts';
import { workAtPrompt } from '../context/work/at-prompt.ts';
import { NO_WORK, type WorkContext, workAtStart } from '../context/work/at-start.ts';
import { survivalList } from '../context/work/before-compaction.ts';
import { readWork } from '../context/work/told-work.ts';
import { followEvents } from '../continuity/follow.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Framed } from '../model/framed.ts';
import type { Redacted } from '../model/redacted.ts';
import { writeAtomically } from '../platform/files.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Door } from '../store/injection-store.ts';
import type { HookStore } from '../store/store.ts';

const INDEX_MS = 10;
const MOST_KNOWN_FILES = 400;
/** Redacting 256 KB takes 90 ms, this 5 at most. A longer paste says what it is about at its beginning and its end. */
const LONGEST_PROMPT = 32_000;
/** For what was captured a moment ago; what a worker that was away for long has left is not ours to do. */
const FOLLOW_MS = 10;
const FOLLOWED_AT_ONCE = 20;

export interface GivingWorld {
  agent: Agent;
  paths: Paths;
  env: Environment;
  settings: Settings;
  log: Log;
  now: () => number;
  /** What prompts are looked up with; loaded for them only, since it takes longer than all the rest. */
  lookUp?: typeof import('../context/prompt.ts') | undefined;
  /** After this nothing is said any more, so nothing is noted down as given. */
  until: number;
}

export interface StartContext extends Context {
  /** What the work is called that it tells of. */
  work?: string | undefined;
}

/**
 * What one hook call gives to the agent, each time noted down first: what cannot be noted would be given
 * again, so it is not given at all.
 */
export function createGiving(world: GivingWorld, event: AgentEvent, store: () => HookStore | null) {
  const { paths, env, settings, log, now, until, agent, lookUp } = world;
  const folder = env.projectDir ?? event.cwd;

  function within(make: (store: HookStore, scene: Scene) => Context): Context {
    const opened = folder === undefined ? null : store();
    if (!opened || folder === undefined) return NO_CONTEXT;
    try {
      const cwd = event.cwd ?? folder;
      const checkout = checkoutOf(cwd);
      const place = cwd === folder ? storedPlaceOf(folder, checkout) : storedPlaceOf(folder);
      const here = sceneAt(
        opened,
        { place, folder: cwd, checkout, branch: storedBranchOf(checkout) },
        {
          agent: agent.id,
          agentSession: redactValue(event.sessionId),
          settings,
          longest: agent.longestContext,
          now: now(),
        },
      );
      return here ? make(opened, here) : NO_CONTEXT;
    } catch (error) {
      log.warn('no context', { door: event.kind, cause: describeError(error) });
      return NO_CONTEXT;
    }
  }

  function forStart(source: string): StartContext {
    if (settings['context.prompt'] === 'on') rmSync(paths.quietPrompts, { force: true });
    let work: WorkContext = NO_WORK;
    const context = within((opened, scene) => {
      follow(opened);
      work = waiting(opened, scene, source);
      const room = Math.max(0, scene.longest - work.text.length - 1);
      const remembered = noted(opened, { ...scene, longest: room }, source);
      // A prompt comes before the first read, and has more time.
      if (source === 'compact' || settings['context.prompt'] === 'off') listKnownFiles(opened, scene);
      return joined(work, remembered);
    });
    return { ...context, work: work.told?.work.name };
  }

  /** What has been captured and not been looked at yet may change what waits. */
  function follow(opened: HookStore): void {
    try {
      const end = now() + FOLLOW_MS;
      while (followEvents(opened, { log, now: now(), limit: FOLLOWED_AT_ONCE }) === FOLLOWED_AT_ONCE)
        if (now() > end) break;
    } catch (error) {
      log.debug('works left to others', { cause: describeError(error) });
    }
  }

  function waiting(opened: HookStore, scene: Scene, source: string): WorkContext {
    const claim = (handoffId: number): boolean =>
      now() <= until && opened.giveHandoff(handoffId, scene.agentSession, scene.now);
    try {
      const work = workAtStart(opened, scene, { source, claim });
      if (work.told && now() <= until) opened.noteTold(scene.agentSession, work.told.work.id, scene.now);
      return work;
    } catch (error) {
      log.warn('no work given', { cause: describeError(error) });
      return NO_WORK;
    }
  }

  /** What a compaction must not lose, in words for whoever makes the summary. */
  function forCompaction(): Framed {
    const { text } = within((opened) => {
      follow(opened);
      const work = opened.workOfSession(event.sessionId);
      return work ? { ...NO_CONTEXT, text: survivalList(readWork(opened, work)) } : NO_CONTEXT;
    });
    return text;
  }

  function noted(opened: HookStore, scene: Scene, source: string): Context {
    const context = startContext(opened, scene, { source });
    const full = context.shown.filter(({ how }) => how === 'full');
    if (full.length === 0 || now() > until) return context;
    try {
      const injections = full.map((shown) => injection(scene, 'start', shown));
      opened.giveOnce(injections, scene.now);
      return context;
    } catch (error) {
      log.warn('nothing given in full', { cause: describeError(error) });
      return startContext(opened, scene, { source, givesInFull: false });
    }
  }

  function forPrompt(text: string): Context {
    if (settings['context.prompt'] === 'off') {
      writeAtomically(paths.quietPrompts, '');
      return NO_CONTEXT;
    }
    // Before the look-up: the words that matched are stored as the reason of an injection.
    const words = redactValue(text, { maxText: LONGEST_PROMPT });
    return within((opened, scene) => {
      const work = goneBackTo(opened, scene, words);
      const memories = fitting(opened, scene, words);
      listKnownFiles(opened, scene);
      return joined(work, memories);
    });
  }

  /** A session's first prompt says which work it is about; one that was not told at its start is told now. */
  function goneBackTo(opened: HookStore, scene: Scene, words: Redacted): Context {
    if (event.subagent || now() > until) return NO_CONTEXT;
    const { permissionMode = null } = event;
    try {
      return workAtPrompt(opened, scene, { words, permissionMode, log });
    } catch (error) {
      log.warn('session not bound to a work', { cause: describeError(error) });
      return NO_CONTEXT;
    }
  }

  function fitting(opened: HookStore, scene: Scene, words: Redacted): Context {
    if (!lookUp?.isWorthLookingUp(words)) return NO_CONTEXT;
    try {
      lookUp.catchUp(opened, { now, mostMs: INDEX_MS });
    } catch (error) {
      log.debug('index left to others', { cause: describeError(error) });
    }
    return given(opened, scene, 'prompt', lookUp.PROMPT_INTRO, (has) =>
      lookUp.offersForPrompt(opened, scene, words, has),
    );
  }

  /** A subagent has a conversation of its own and gets nothing: the session could not be told any more. */
  function forFile(path: string): Context {
    if (settings['context.file'] === 'off' || event.subagent) return NO_CONTEXT;
    return within((opened, scene) => {
      const file = pathFromTop(path, scene.top, event.cwd ?? scene.top);
      const context = given(opened, scene, 'file', fileIntro(redactValue(file)), (has) =>
        offersForFile(opened, scene, file, has),
      );
      dropKnownFile(paths, event.sessionId, file);
      return context;
    });
  }

  function given(
    opened: HookStore,
    scene: Scene,
    door: Door,
    intro: string,
    choose: (has: Set<number>) => Offer[],
  ): Context {
    const since = lostBefore(opened);
    const offered = choose(opened.knownTo(event.sessionId, since));
    if (offered.length === 0 || now() > until) return NO_CONTEXT;
    const taken = opened.giveOnce(
      offered.map(({ shown }) => injection(scene, door, shown)),
      since,
    );
    const ids = new Set(taken.map(({ memoryId }) => memoryId));
    return asContext(
      intro,
      offered.filter(({ shown }) => ids.has(shown.memoryId)),
    );
  }

  function injection({ agentSession, now: at }: Scene, door: Door, { memoryId, tokens, reasons }: Shown) {
    const reason = redactValue(reasons.join(', '));
    return { agent: redactValue(agent.id), agentSession, door, memoryId, tokens, reason, at };
  }

  /** What was given before a compaction is no longer in the conversation. */
  function lostBefore(opened: HookStore): number {
    const begins = event.kind === 'session-start' && event.source === 'compact';
    return begins ? now() : (opened.sessionTimes(event.sessionId)?.compactedAt ?? 0);
  }

  function listKnownFiles(opened: HookStore, { project, agentSession }: Scene): void {
    const isOn = settings['context.file'] === 'on';
    const unknownTo = { agentSession, since: lostBefore(opened) };
    const query = { projectId: project.id, unknownTo, limit: MOST_KNOWN_FILES };
    writeKnownFiles(paths, event.sessionId, isOn ? opened.filesWorthTelling(query) : []);
  }

  return { forStart, forPrompt, forFile, forCompaction };
}
