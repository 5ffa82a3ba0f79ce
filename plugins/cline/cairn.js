// Written by Cairn, which renews and removes it while it is unchanged:
// Cairn for Cline.
import { ask, ENDING_MS, isConnected, record, safely } from '../hook-calls.js';

/** Cline runs the plugins of each session in a process of their own, and sets them up again when it likes. */
let session;

export default {
  name: 'cairn',
  manifest: { capabilities: ['hooks', 'rules'] },

  setup: safely(async (api, ctx) => {
    const sessionId = ctx?.session?.sessionId;
    const rootPath = ctx?.workspaceInfo?.rootPath;
    // Without a session, Cline only wants to know what the plugin has.
    if (!sessionId || !rootPath || !isConnected()) return;
    if (session?.sessionId !== sessionId) {
      session = { sessionId, rootPath };
      session.context = answer('setup', {});
    }
    const { context } = session;
    const content = safely(() => context);
    api.registerRule({ id: 'cairn', content: async () => (await content()) ?? '' });
  }),

  hooks: {
    beforeRun: safely(async ({ snapshot }) => {
      const { messages, ...rest } = snapshot;
      // The task of a subagent is not a prompt.
      if (!session || snapshot.parentAgentId) return undefined;
      await session.context;
      const last = { ...rest, messages: messages.slice(-1) };
      // Cline waits three seconds for a hook, and the start may have taken a half of that.
      const appendContext = await answer('beforeRun', { snapshot: last }, ENDING_MS);
      return appendContext ? { appendContext } : undefined;
    }),

    afterTool: safely(async ({ snapshot, toolCall, result, durationMs }) => {
      const { toolCallId, toolName, input } = toolCall;
      if (!session) return;
      report('afterTool', {
        snapshot: originOf(snapshot),
        toolCall: { toolCallId, toolName, input },
        result: { output: result.output, ...(result.isError && { isError: true }) },
        durationMs,
      });
    }),

    afterRun: safely(async ({ snapshot, result }) => {
      const { status, outputText } = result;
      if (!session) return;
      // Also wakes the worker, which distils the turn.
      await answer('afterRun', { snapshot: originOf(snapshot), result: { status, outputText } }, ENDING_MS);
    }),
  },
};

function originOf({ agentId, parentAgentId }) {
  return { agentId, ...(parentAgentId && { parentAgentId }) };
}

function payloadOf(context) {
  const { sessionId, rootPath } = session;
  return { folder: rootPath, payload: { sessionId, rootPath, context } };
}

function answer(event, context, deadline) {
  return ask({ ...payloadOf(context), event, deadline });
}

function report(event, context) {
  record({ ...payloadOf(context), event });
}
