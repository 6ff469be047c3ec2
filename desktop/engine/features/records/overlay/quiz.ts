import type { SessionFacts } from '#shared/model/training-facts.ts';

import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { answersOf, quizContextOf, type QuizContext } from '#desktop/engine/outbox/kinds/quizzes.ts';
import type { Attempt, AttemptState } from '#desktop/engine/api/training-records.ts';
import { isOpen, type ResolveId } from './applies.ts';

/** A session of the mirror. */
export interface StoredSession {
  seq: number;
  facts: SessionFacts;
}

/** The person's attempts, latest first: those of the mirror, with the calls (oldest first) on top. */
export function overlayAttempts(
  stored: readonly StoredSession[],
  calls: readonly OutboxCall[],
  resolve: ResolveId,
): Attempt[] {
  const attempts = new Map(stored.map(({ facts }) => [String(facts.sessionid), attemptOf(facts)]));
  const seqs = new Map(stored.map(({ seq, facts }) => [String(facts.sessionid), seq]));
  for (const call of calls) {
    const about = quizContextOf(call);
    if (about === undefined) continue;
    const sessionid = resolve(call.target.id);
    if (!appliesOnTop(call, seqs.get(sessionid) ?? null)) continue;
    if (call.kind === 'quiz-begin') closeOthers(attempts, sessionid, about, call.at);
    const before = attempts.get(sessionid) ?? begun(sessionid, call, about);
    attempts.set(sessionid, withCall(before, call));
  }
  return [...attempts.values()].toSorted((a, b) => b.startedAt - a.startedAt);
}

function attemptOf(facts: SessionFacts): Attempt {
  return {
    sessionid: String(facts.sessionid),
    quizid: facts.quizid,
    title: facts.title,
    guideid: facts.guideid === null ? null : String(facts.guideid),
    state: stateOf(facts),
    score: facts.score,
    passingScore: facts.passing_score,
    startedAt: facts.start_date * 1000,
    endedAt: facts.end_date === null ? null : facts.end_date * 1000,
    pending: false,
    refusal: null,
    answers: facts.answers ?? {},
    results:
      facts.results?.map(({ title, answer, is_correct }) => ({ title, answer, correct: is_correct })) ?? null,
  };
}

function stateOf({ status, score, passed }: SessionFacts): AttemptState {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'in_progress') return 'open';
  if (score === null) return 'done';
  return passed === true ? 'passed' : 'failed';
}

function begun(sessionid: string, { at }: OutboxCall, about: QuizContext): Attempt {
  const { quizid, title, guideid, passingScore } = about;
  return {
    sessionid,
    quizid,
    title,
    guideid,
    passingScore,
    state: 'open',
    score: null,
    startedAt: at,
    endedAt: null,
    pending: true,
    refusal: null,
    answers: {},
    results: null,
  };
}

/** A new attempt ends the open one, as on the server. */
function closeOthers(
  attempts: Map<string, Attempt>,
  sessionid: string,
  { quizid }: QuizContext,
  at: number,
): void {
  for (const [id, attempt] of attempts)
    if (id !== sessionid && attempt.quizid === quizid && attempt.state === 'open')
      attempts.set(id, { ...attempt, state: 'cancelled', endedAt: at });
}

/** An attempt after a call. The answers of a refused call stay visible, because they exist nowhere else. */
function withCall(before: Attempt, call: OutboxCall): Attempt {
  const after = { ...before, pending: before.pending || isOpen(call) };
  if (call.kind === 'quiz-save' || call.kind === 'quiz-submit') after.answers = answersOf(call);
  if (call.kind === 'quiz-submit') Object.assign(after, { state: 'waiting', endedAt: call.at });
  if (call.kind === 'quiz-cancel') Object.assign(after, { state: 'cancelled', endedAt: call.at });
  if (call.state !== 'parked' || call.refusal === null) return after;
  const refusal = { callid: call.id, message: call.refusal.errors[0]?.message ?? call.refusal.message };
  return { ...after, state: 'refused', refusal };
}
