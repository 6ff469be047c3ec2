import type { FeedbackView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { feedbackReason } from '#shared/model/comment.ts';

/** The name of a reason; reasons of a newer version have a common one. */
export function reasonName(reason: string): string {
  const { data: known } = feedbackReason.safeParse(reason);
  return known === undefined ? text.feedback.other : text.feedback.reasons[known];
}

/** Who closed feedback, and when; null while it is open. */
export function doneWords({ done }: FeedbackView, now: number): string | null {
  if (done === null) return null;
  const since = formatSince(done.at, now);
  return done.mine ? text.feedback.doneByYou(since) : text.feedback.doneBy(done.username, since);
}
