import { join } from 'node:path';

/** Where everything lies below Cairn's home. One place, so that `CAIRN_HOME` moves all of it. */
export interface Paths {
  home: string;
  captureScript: string;
  /** Copies of the program, a folder for each version. */
  app: string;
  /** Runs the installed program; agents and messages name it. */
  launcher: string;
  config: string;
  database: string;
  /** Held for as long as one process takes in the spool. */
  intakeLock: string;
  /** Held for as long as the worker lives. */
  workerLock: string;
  /** What the worker says of itself; believed only while the lock is held. */
  workerNote: string;
  /** Present while the worker is asked to end. */
  stopWorker: string;
  spool: string;
  /** Spool files that never got their end mark. */
  torn: string;
  logs: string;
  state: string;
  failures: string;
  /** Answers that node could not give, counted by capture.sh. */
  nodeFailures: string;
  /** Another node that find-node.sh found when the recorded one was gone. */
  foundNode: string;
  captureBroken: string;
  /** Present while something should be said on an event that is otherwise silent. */
  outbox: string;
  /** The same for one session only, in a file of its name. */
  outboxFor: string;
  /** Present while prompts need no answer. */
  quietPrompts: string;
  /** For each session that runs, the files of which it could be told something. */
  knownFiles: string;
  /** For each session, the process that it runs in. */
  agentProcesses: string;
  /** The hook program as V8 compiled it, for each event that answers. */
  code: string;
  /** For people and other tools: a folder for each work, and an index of them. */
  works: string;
  /** Held for as long as one process writes there. */
  worksLock: string;
  paused: string;
  installed: string;
  /** Present after the last agent was disconnected. */
  uninstalled: string;
}

export function pathsOf(home: string): Paths {
  const state = join(home, 'state');
  const spool = join(home, 'spool');
  return {
    home,
    captureScript: join(home, 'capture.sh'),
    app: join(home, 'app'),
    launcher: join(home, 'bin', process.platform === 'win32' ? 'cairn.cmd' : 'cairn'),
    config: join(home, 'config.json'),
    database: join(home, 'cairn.db'),
    intakeLock: join(state, 'intake.lock'),
    workerLock: join(state, 'worker.lock'),
    workerNote: join(state, 'worker.json'),
    stopWorker: join(state, 'stop-worker'),
    spool,
    torn: join(spool, 'torn'),
    logs: join(home, 'logs'),
    state,
    failures: join(state, 'failures'),
    nodeFailures: join(state, 'node-failures'),
    foundNode: join(state, 'found-node'),
    captureBroken: join(state, 'capture-broken'),
    outbox: join(state, 'outbox'),
    outboxFor: join(state, 'outbox-for'),
    quietPrompts: join(state, 'quiet-prompts'),
    knownFiles: join(state, 'known-files'),
    agentProcesses: join(state, 'agent-processes'),
    code: join(state, 'code'),
    works: join(home, 'works'),
    worksLock: join(state, 'works.lock'),
    paused: join(home, 'paused'),
    installed: join(home, 'installed'),
    uninstalled: join(state, 'uninstalled'),
  };
}
