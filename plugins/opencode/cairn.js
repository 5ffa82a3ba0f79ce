// Written by Cairn, which renews and removes it while it is unchanged:
// Cairn for agents with the plugin interface of OpenCode.
import { ask, ENDING_MS, record, safely } from '../hook-calls.js';

export const Cairn = async ({ directory: folder }) => {
  /** What is known of each session: its start's context, its last words, and its parent if it is a subagent's. */
  const sessions = new Map();

  function sessionOf(id) {
    if (!sessions.has(id)) sessions.set(id, { id, texts: '' });
    return sessions.get(id);
  }

  function payloadOf(id, fields) {
    const { parent } = sessions.get(id) ?? {};
    return { sessionID: id, directory: folder, ...(parent && { parentID: parent }), ...fields };
  }

  /** Reports that a session starts; its context stays the same until the next report, as prompt caches need it. */
  function start(id, source) {
    const session = sessionOf(id);
    if (!session.parent)
      session.context = ask({ folder, event: 'session.created', payload: payloadOf(id, { source }) });
    return session;
  }

  function report(event, id, fields) {
    record({ folder, event, payload: payloadOf(id, fields) });
  }

  function endSession(id, event) {
    const ended = sessions.get(id);
    const payload = payloadOf(id);
    sessions.delete(id);
    return ended?.context ? ask({ folder, event, payload, deadline: ENDING_MS }) : undefined;
  }

  const onEvent = {
    'session.created': ({ info }) => {
      // A subagent of a subagent works for the person's session too.
      if (info.parentID) sessionOf(info.id).parent = sessions.get(info.parentID)?.parent ?? info.parentID;
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
      ask({ folder, event: 'session.idle', payload, deadline: ENDING_MS });
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
      const context = await ask({ folder, event: 'chat.message', payload });
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
      const event = 'experimental.session.compacting';
      const context = await ask({ folder, event, payload: payloadOf(sessionID) });
      if (context) output.context.push(context);
    }),

    dispose: safely(async () => {
      await Promise.all([...sessions.keys()].map((id) => endSession(id, 'dispose')));
    }),
  };
};
