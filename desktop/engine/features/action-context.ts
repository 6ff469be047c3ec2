import { Problem } from '#shared/api/problem.ts';
import { shownTitle } from '#shared/rules/wiki-record.ts';
import { type SyncedCollection, temporaryId } from '#shared/sync/wire.ts';

import { deviationContextOf } from '../outbox/kinds/deviations.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { bare } from '../sync/temporary-ids.ts';
import type { Services } from './services.ts';
import { type ResolveId, isOpen } from './records/overlay/applies.ts';

/** The services and functions that all actions use. */
export interface ActionContext extends Services {
  /** The present calls of the person, oldest first. */
  calls(): readonly OutboxCall[];
  /** The real id once there is one, else the id itself. */
  resolve: ResolveId;
  /** The guide that a step belongs to. Throws `Problem` not-found. */
  guideOfStep(stepid: string): Promise<string>;
  /** The signed-in person's id. Throws `Problem` unauthorized when nobody is signed in. */
  userid(): number;
}

/** A new temporary id for the record that a call will create; `key` is the id of the call. */
export function newTemporaryId(context: ActionContext): { key: string; id: string } {
  const key = context.sources.core.environment.uuid();
  return { key, id: temporaryId(key) };
}

/** The id of a record in a body: a number, or a temporary id until the number is known. */
export function bodyId(id: string): number | string {
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** Calls about one record that are not done, oldest first. */
export function openCallsOf(context: ActionContext, collection: SyncedCollection, id: string): OutboxCall[] {
  return context.sources.core.outbox.about(collection, id).filter(isOpen);
}

/**
 * The lane of a record: that of its waiting calls, if there are any. A record that has got its number stays in the lane
 * of its temporary id until that is empty, so that its calls stay in order.
 */
export function laneOf(
  context: ActionContext,
  prefix: string,
  collection: SyncedCollection,
  id: string,
): string {
  const isInLane = (call: OutboxCall): boolean => call.lane.startsWith(`${prefix}:`);
  const own = openCallsOf(context, collection, id).findLast(isInLane);
  const waiting = own ?? (collection === 'workLog' ? reportsOf(context, id).findLast(isInLane) : undefined);
  return waiting?.lane ?? `${prefix}:${bare(context.resolve(id))}`;
}

/** Waiting reports of deviations in a work order, oldest first. They are in its lane, between its moves and values. */
export function reportsOf(context: ActionContext, entryid: string): OutboxCall[] {
  return context
    .calls()
    .filter(
      (call) =>
        isOpen(call) &&
        call.kind === 'deviation-report' &&
        context.resolve(deviationContextOf(call)?.entryid ?? '') === context.resolve(entryid),
    );
}

/** The error of an action that is not possible now. */
export function impossible(message: string): Problem {
  return new Problem('invalid', message);
}

/** Title of a guide for the activity list. */
export async function guideTitle(context: ActionContext, guideid: string): Promise<string> {
  const open = context.drafts.find(guideid);
  if (open !== undefined) return open.draft.content().title;
  const id = context.resolve(guideid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('guides', id);
  return record?.facts.title ?? '';
}

/** The shown title of a wiki page, for the activity list. */
export async function pageTitle(context: ActionContext, wikiid: string): Promise<string> {
  const id = context.resolve(wikiid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('wikis', id);
  if (record !== null) return shownTitle(record.facts);
  const made = openCallsOf(context, 'wikis', id)[0];
  return made?.subject ?? '';
}
