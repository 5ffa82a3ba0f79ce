import { NO_CONTEXT } from '../../context/context.ts';
import { formatSurvivalList } from '../../context/work/before-compaction.ts';
import { readWorkItem } from '../../context/work/work-item-details.ts';
import type { Framed } from '../../model/framed.ts';
import { type AnswerCall, buildInProject } from './answer-call.ts';
import { followCaptured } from './follow-captured.ts';

/** Instructions for the model that writes the compaction summary. */
export function buildCompactionList(call: AnswerCall): Framed {
  const { text } = buildInProject(call, (open) => {
    followCaptured(open);
    const work = open.store.findSessionWorkItem(call.event.sessionId);
    return work ? { ...NO_CONTEXT, text: formatSurvivalList(readWorkItem(open.store, work)) } : NO_CONTEXT;
  });
  return text;
}
