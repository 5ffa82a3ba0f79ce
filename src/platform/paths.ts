import { join } from 'node:path';

/** All paths are below Cairn's home, so `CAIRN_HOME` moves everything. */
export interface Paths {
  home: string;
  captureScript: string;
  app: string;
  launcher: string;
  config: string;
  database: string;
  /** Held while a process ingests the spool. */
  intakeLock: string;
  /** Held while the worker runs. */
  workerLock: string;
  /** The worker's note about itself; valid only while the lock is held. */
  workerNote: string;
  /** Exists while the worker is asked to stop. */
  stopWorker: string;
  spool: string;
  torn: string;
  logs: string;
  state: string;
  failures: string;
  /** Failures of node, counted by capture.sh. */
  nodeFailures: string;
  /** The node that find-node.sh found when the recorded one was gone. */
  foundNode: string;
  captureBroken: string;
  /** Exists while there is a message for an otherwise silent event. */
  outbox: string;
  /** Like `outbox`, for one session. */
  outboxFor: string;
  /** Exists while prompts need no answer. */
  quietPrompts: string;
  /** Lists, per session, the files that have memories. */
  knownFiles: string;
  /** A file per session that received its start context with its first prompt. */
  startsGiven: string;
  agentProcesses: string;
  code: string;
  /** For people and other tools: a folder per work item, and an index. */
  works: string;
  worksLock: string;
  /** The port of the local API, chosen once. */
  apiPort: string;
  /** The project of the sample session, while there is one. */
  sample: string;
  /** How this home logs in to its team's server; missing with a keychain. */
  teamLogin: string;
  paused: string;
  installed: string;
  /** Exists after the last agent was disconnected. */
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
    startsGiven: join(state, 'starts-given'),
    agentProcesses: join(state, 'agent-processes'),
    code: join(state, 'code'),
    works: join(home, 'works'),
    worksLock: join(state, 'works.lock'),
    apiPort: join(state, 'api-port'),
    sample: join(home, 'sample', 'shop-sample'),
    teamLogin: join(home, 'team-login.json'),
    paused: join(home, 'paused'),
    installed: join(home, 'installed'),
    uninstalled: join(state, 'uninstalled'),
  };
}
