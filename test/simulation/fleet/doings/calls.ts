import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';

import type { DoingKind } from '../plan.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';

/** Actions on calls that wait or were refused. */
export const callDoings = {
  retry: retryCall,
  'retry-all': retryAll,
  'export-call': exportCall,
  'discard-call': discardCall,
  'edit-call': editCall,
  'sync-now': syncNow,
} satisfies Partial<Record<DoingKind, Perform>>;

async function retryCall(acting: Acting): Promise<void> {
  const item = refusedIn(acting, await acting.look('activity'));
  if (item === undefined) return;
  acting.say('retry');
  await acting.actions.retryCall(item.id);
}

async function retryAll(acting: Acting): Promise<void> {
  acting.say('retry-all');
  await acting.actions.sendAllAgain();
}

async function exportCall(acting: Acting): Promise<void> {
  const item = refusedIn(acting, await acting.look('activity'));
  if (item === undefined) return;
  acting.say('export');
  await acting.actions.exportCall(item.id);
}

async function discardCall(acting: Acting): Promise<void> {
  const activity = await acting.look('activity');
  const item = refusedIn(acting, activity);
  if (item === undefined) return;
  acting.say('discard-call');
  const lost = [item, ...activity.filter((other) => goesAlong(other, item))];
  acting.done.takenBack.push(...wordsIn(JSON.stringify(lost)));
  // A deletion does not contain the words of its comment.
  const comment =
    item.call.method === 'DELETE' ? /^\/comments\/([^/]+)$/.exec(item.call.path)?.[1] : undefined;
  if (comment !== undefined) acting.done.facts.undeleted = comment;
  await acting.actions.discardCall(item.id);
}

async function editCall(acting: Acting): Promise<void> {
  const activity = await acting.look('activity');
  const item = refusedIn(
    acting,
    activity.filter(({ kind, call }) => kind === 'comment' && call.method !== 'DELETE'),
  );
  if (item === undefined) return;
  const word = acting.word('comment');
  acting.say('edit-call');
  acting.done.facts.comment = [JSON.stringify(item.call.body), word];
  acting.done.facts.isCorrection = true;
  await acting.actions.editCall(item.id, { ...Object(item.call.body), text: `Comment ${word}` });
}

async function syncNow(acting: Acting): Promise<void> {
  acting.say('sync-now');
  acting.actions.syncNow();
}

/** One of the refused calls. */
function refusedIn(acting: Acting, activity: readonly ActivityItem[]): ActivityItem | undefined {
  return acting.one(
    activity.filter(({ state }) => state === 'parked'),
    0,
  );
}

/** Whether a waiting change is of a work order, guide or page that only the discarded call would have created. */
function goesAlong(other: ActivityItem, made: ActivityItem): boolean {
  const isWaiting = ['queued', 'parked', 'waits-for-sign-in'].includes(other.state);
  const isSame = (['entryid', 'guideid', 'wikiid'] as const).some(
    (name) => made[name] === `tmp:${made.id}` && other[name] === made[name],
  );
  return isWaiting && other.kind === made.kind && isSame;
}
