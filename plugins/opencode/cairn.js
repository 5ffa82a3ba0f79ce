// Written by Cairn, which renews and removes it while it is unchanged:
// Cairn for agents with the plugin interface of OpenCode. It needs nothing but this file: no error and no delay of Cairn
// may reach the agent, so every hook catches what is thrown and gives up after a while.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Filled in by `cairn install`: the agent, the home of Cairn, and the command that runs a hook. */
const { agent, home, command } = JSON.parse('@SETTINGS@');

const ANSWER_MS = 1_500;
const ENDING_MS = 1_000;

export const Cairn = async ({ directory }) => {
  /** What is known of each session: its start's context, its last words, and its parent if it is a subagent's. */
  const sessions = new Map();

  function sessionOf(id) {
    if (!sessions.has(id)) sessions.set(id, { id, texts: '' });
    return sessions.get(id);
  }

  function payloadOf(id, fields) {
    const { parent } = sessions.get(id) ?? {};
    return { sessionID: id, directory, ...(parent && { parentID: parent }), ...fields };
  }

  /** Reports that a session starts; its context stays the same until the next report, as prompt caches need it. */
  function start(id, source) {
    const session = sessionOf(id);
    if (!session.parent) session.context = ask('session.created', payloadOf(id, { source }));
    return session;
  }

  function report(event, id, fields) {
    record(directory, event, payloadOf(id, fields));
  }

  function endSession(id, event) {
    const ended = sessions.get(id);
    const payload = payloadOf(id);
    sessions.delete(id);
    return ended?.context ? ask(event, payload, ENDING_MS) : undefined;
  }

  const onEvent = {
    'session.created': ({ info }) => {
      if (info.parentID) sessionOf(info.id).parent = info.parentID;
      else start(info.id, 'startup');
    },
    'session.error': ({ sessionID, error }) => {
      if (sessions.has(sessionID)) sessionOf(sessionID).error = error?.name;
    },
    'session.idle': ({ sessionID }) => {
      const session = sessions.get(sessionID);
      if (!session) return;
      const { texts, error } = session;
      session.texts = '';
      session.error = undefined;
      const payload = payloadOf(sessionID, { text: texts, ...(error && { error }) });
      // Also wakes the worker, which distils the turn.
      ask('session.idle', payload, ENDING_MS);
    },
    'session.compacted': ({ sessionID }) => {
      report('session.compacted', sessionID, {});
      start(sessionID, 'compact');
    },
    'session.deleted': ({ info }) => endSession(info.id, 'session.deleted'),
    'message.part.updated': ({ part }) => {
      if (part.type !== 'tool' || part.state?.status !== 'error' || !sessions.has(part.sessionID)) return;
      const input = { tool: part.tool, callID: part.callID, args: part.state.input };
      report('tool.error', part.sessionID, { input, error: part.state.error });
    },
  };

  return {
    event: safely(({ event }) => onEvent[event.type]?.(event.properties)),

    'command.execute.before': safely(({ command, sessionID, arguments: words }) => {
      sessionOf(sessionID).command = `/${command} ${words ?? ''}`.trim();
    }),

    'chat.message': safely(async ({ sessionID }, output) => {
      const known = sessions.get(sessionID);
      const session = known?.context || known?.parent ? known : start(sessionID, 'resume');
      if (session.parent) return;
      await session.context;
      const parts = output.parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
      const message = { id: output.message.id, agent: output.message.agent, model: output.message.model };
      const texts = parts.map(({ type, text }) => ({ type, text }));
      // What the person typed, not what the command says to the model.
      const { command } = session;
      session.command = undefined;
      const payload = payloadOf(sessionID, {
        output: { message, parts: texts },
        ...(command && { command }),
      });
      const context = await ask('chat.message', payload);
      const last = output.parts.at(-1);
      if (!context || !last) return;
      // Parts are sorted by id.
      const id = `${last.id}0`;
      output.parts.push({
        id,
        sessionID,
        messageID: last.messageID,
        type: 'text',
        text: context,
        synthetic: true,
      });
    }),

    'experimental.chat.system.transform': safely(async ({ sessionID }, output) => {
      const context = await sessions.get(sessionID)?.context;
      if (context) output.system.push(context);
    }),

    'experimental.text.complete': safely(({ sessionID }, { text }) => {
      if (text.trim() !== '') sessionOf(sessionID).texts = text;
    }),

    'tool.execute.after': safely(({ tool, sessionID, callID, args }, { output, content, metadata }) => {
      const input = { tool, callID, args };
      const exit = metadata?.exit;
      report('tool.execute.after', sessionID, {
        input,
        output: { output, content, ...(exit !== undefined && { metadata: { exit } }) },
      });
    }),

    'experimental.session.compacting': safely(async ({ sessionID }, output) => {
      const context = await ask('experimental.session.compacting', payloadOf(sessionID));
      if (context) output.context.push(context);
    }),

    dispose: safely(async () => {
      await Promise.all([...sessions.keys()].map((id) => endSession(id, 'dispose')));
    }),
  };

  /** Runs the hook program with a payload. @returns the context for the model, or nothing after the deadline. */
  function ask(event, payload, deadline = ANSWER_MS) {
    if (!isConnected()) return Promise.resolve('');
    return new Promise((resolve) => {
      const [program, ...args] = command;
      const child = spawn(program, [...args, agent, event, 'settings'], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, CLAUDE_PROJECT_DIR: directory, CAIRN_AGENT_PID: String(process.pid) },
      });
      const chunks = [];
      const limit = setTimeout(() => {
        child.kill('SIGKILL');
        resolve('');
      }, deadline);
      limit.unref?.();
      child.on('error', () => resolve(''));
      child.stdin.on('error', () => {});
      child.stdout.on('data', (chunk) => chunks.push(chunk));
      child.on('close', () => {
        clearTimeout(limit);
        resolve(contextIn(Buffer.concat(chunks).toString('utf8')));
      });
      child.stdin.end(JSON.stringify(payload));
    });
  }

  /** Writes an event that needs no answer into the spool, as capture.sh does. */
  function record(folder, event, payload) {
    if (!isConnected()) return;
    // Only the hook program knows what is paused.
    if (existsSync(join(home, 'paused'))) {
      ask(event, payload);
      return;
    }
    const name = `none.${randomUUID()}`;
    const path = join(home, 'spool', name);
    const place = folder.includes('\n') ? '' : folder;
    const file = `cairn1 ${agent} ${event} settings ${place}\n${JSON.stringify(payload)}\n#${name}\n`;
    try {
      mkdirSync(join(home, 'spool'), { recursive: true, mode: 0o700 });
      writeFileSync(path, file, { flag: 'wx', mode: 0o600 });
    } catch {
      rmSync(path, { force: true });
    }
  }
};

/** Whether Cairn is still there: an agent works on as if nothing were if it was deleted by hand. */
function isConnected() {
  return !process.env.CAIRN_GUARD && existsSync(join(home, 'capture.sh'));
}

function contextIn(printed) {
  try {
    return JSON.parse(printed).context ?? '';
  } catch {
    return '';
  }
}

/** A hook that neither throws nor hangs. */
function safely(hook) {
  return async (...args) => {
    let limit;
    const end = new Promise((resolve) => {
      limit = setTimeout(resolve, 2 * ANSWER_MS);
      limit.unref?.();
    });
    try {
      await Promise.race([hook(...args), end]);
    } catch {
      // The agent must not notice.
    } finally {
      clearTimeout(limit);
    }
  };
}
