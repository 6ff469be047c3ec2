import { isUnsent } from '#desktop/engine/outbox/coalesce.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { wikiSaveOf } from '#desktop/engine/outbox/kinds/pages.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Undecided } from './decided-conflicts.ts';
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

/**
 * Whether decisions can be taken back: the save that they became was never sent, and is the only one; or they left nothing
 * to send, and nothing was saved since. `waiting`: the calls about the record that the server does not have. `revisionid`: of
 * the server's version on this device.
 */
export function mayReopen(
  undecided: Undecided,
  waiting: readonly OutboxCall[],
  revisionid: number | undefined,
): boolean {
  const [only, ...more] = waiting;
  if (more.length > 0) return false;
  if (undecided.kind === 'page')
    return undecided.callid === null
      ? only === undefined && undecided.save.contest?.theirs.revisionid === revisionid
      : only !== undefined && only.id === undecided.callid && isUnsent(only);
  return only === undefined
    ? undecided.isDropped && undecided.revisionid === revisionid
    : isUnsent(only) && guideSaveOf(only)?.saveId === undecided.saveId;
}
