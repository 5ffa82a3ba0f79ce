import type { AgentEvent } from '../../model/agent-event.ts';
import type { Framed } from '../../model/framed.ts';
import type { HookReply } from '../../model/hook-reply.ts';
import { nothing } from '../../model/reply.ts';
import { compactStart } from './compact-start.ts';
import type { Answers } from './handler.ts';
import { prompt } from './prompt.ts';
import { sessionStart } from './session-start.ts';
import { toolStart } from './tool-start.ts';

/** Events without a handler are captured and not answered. */
export function handleEvent(event: AgentEvent, answers: Answers): HookReply<Framed> {
  switch (event.kind) {
    case 'session-start':
      return sessionStart(event, answers);
    case 'prompt':
      return prompt(event, answers);
    case 'tool-start':
      return toolStart(event, answers);
    case 'compact-start':
      return compactStart(event, answers);
    default:
      return nothing;
  }
}
