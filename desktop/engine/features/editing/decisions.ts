import { Problem } from '#shared/api/problem.ts';
import type { MergeConflict } from '#shared/merge/conflict.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Decision } from '#desktop/engine/api/conflict-records.ts';
import { isUnsent } from '#desktop/engine/outbox/coalesce.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { wikiSaveOf } from '#desktop/engine/outbox/kinds/pages.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Undecided, UndecidedGuide, UndecidedPage } from './decided-conflicts.ts';
import type { OpenDrafts } from './open-drafts.ts';

/** The calls that wait for a person's decision. */
export function contestedIn(calls: readonly OutboxCall[]): OutboxCall[] {
  return calls.filter(({ state }) => state === 'conflict');
}

/** How many decisions a call waits for. A work order is decided as a whole. */
export function decisionsOf(call: OutboxCall, drafts: Pick<OpenDrafts, 'find'>): number {
  if (call.state !== 'conflict') return 0;
  const open =
    guideSaveOf(call) === undefined
      ? wikiSaveOf(call)?.contest?.conflicts
      : drafts.find(call.target.id)?.draft.conflicts;
  return Math.max(1, open?.length ?? 0);
}

/** Both versions of a conflict as one text (`GuideConflictView.versions`). */
export function versionsOf({ mine, theirs }: MergeConflict): string {
  return canonicalJson([mine, theirs]);
}

/**
 * Throws unless these are open conflicts as the person saw them. `what`: what they are in.
 *
 * - DECIDE-8 A decision applies to the versions that the person saw. If one of them has changed since, or the conflict is
 *   gone, none is saved.
 */
export function mustBeSeen(
  decisions: readonly Decision[],
  conflicts: readonly MergeConflict[],
  what: 'guide' | 'page',
): void {
  const open = new Map(conflicts.map((conflict) => [conflict.id, versionsOf(conflict)]));
  if (decisions.some(({ conflictid, versions }) => open.get(conflictid) !== versions))
    throw new Problem('conflict', `Someone changed this ${what} meanwhile. Check your choices again.`);
}

/** Whether decisions can be taken back; otherwise why not. */
export type Reopening = 'possible' | 'sent' | 'edited';

/** What is known of a guide or page after its conflicts were decided. */
interface Afterwards {
  /** The calls about the record that the server does not have. */
  waiting: readonly OutboxCall[];
  /** Of the server's version on this device. */
  revisionid: number | undefined;
  /** The content of the guide's draft, if one is open. */
  draft?: GuideContent | undefined;
}

/**
 * Whether decisions can be taken back.
 *
 * - DECIDE-7 Decisions can be taken back while the save that they became was never sent and is the only one. If they left
 *   nothing to send, they can be taken back until a newer version arrives. After an edit they cannot, so that it is not
 *   lost.
 */
export function reopening(undecided: Undecided, now: Afterwards): Reopening {
  if (now.waiting.length > 1) return 'sent';
  return undecided.kind === 'page' ? reopeningOfPage(undecided, now) : reopeningOfGuide(undecided, now);
}

function reopeningOfGuide(undecided: UndecidedGuide, { waiting, revisionid, draft }: Afterwards): Reopening {
  const { decided, isDropped } = undecided;
  const isEdited = draft !== undefined && !sameValue(draft, decided);
  const [only] = waiting;
  if (only === undefined) {
    if (!isDropped || undecided.revisionid !== revisionid) return 'sent';
    return isEdited ? 'edited' : 'possible';
  }
  const save = guideSaveOf(only);
  if (save?.saveId !== undecided.saveId) return isDropped ? 'edited' : 'sent';
  if (!isUnsent(only)) return 'sent';
  return isEdited || !sameValue(save.content, decided) ? 'edited' : 'possible';
}

function reopeningOfPage(undecided: UndecidedPage, { waiting, revisionid }: Afterwards): Reopening {
  const { decided, callid, save } = undecided;
  const [only] = waiting;
  if (only === undefined)
    return callid === null && save.contest?.theirs.revisionid === revisionid ? 'possible' : 'sent';
  if (callid === null) return 'edited';
  if (only.id !== callid || !isUnsent(only)) return 'sent';
  return sameValue(wikiSaveOf(only)?.content, decided) ? 'possible' : 'edited';
}

/** Throws the `Problem` of decisions that cannot be taken back. */
export function mustReopen(reopens: Reopening): void {
  if (reopens === 'sent') throw tooLate();
  if (reopens === 'edited') throw new Problem('conflict', editedSince);
}

/** The error of an undo that comes too late. */
export function tooLate(): Problem {
  return new Problem('conflict', 'It is too late to undo this: the server has it, or has a newer version.');
}

const editedSince =
  'This was edited after these decisions, so they can no longer be changed here. Edit the text instead.';
