import { forbidden, notFound } from '#shared/api/problem.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { EntryMove } from '#shared/rules/work-log.ts';
import { can } from '#server/features/can.ts';
import { entryAudience } from './access.ts';
import type { Context } from '#server/core/context.ts';
import { findStored, type Principal } from '#server/storage/feed.ts';

/** The entry; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeeEntry(ctx: Context, entryid: number): Promise<EntryFacts> {
  const entry = await findStored(ctx, 'workLog', entryid);
  if (entry === undefined) throw notFound('Work log entry');
  const guide = await findStored(ctx, 'guides', entry.guideid);
  if (!can(ctx.viewer, 'entry.see', { entry, guide, seconds: ctx.seconds })) throw notFound('Work log entry');
  return entry;
}

/** Throws 404 as above; 403 for people who never held the entry, and for assuming it without access to the guide. */
export async function mustAct(ctx: Context, entryid: number, move: EntryMove): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (move === 'assume') {
    const guide = await findStored(ctx, 'guides', entry.guideid);
    if (!can(ctx.viewer, 'entry.assume', { guide }))
      throw forbidden('You may not see the guide of this entry');
    return;
  }
  if (!can(ctx.viewer, 'entry.act', { entry }))
    throw forbidden('Someone else is working on this entry', ['Admin']);
}

/** Throws 404 as above, 403 for kiosks and for administrators who act as another person. */
export async function mustConfirm(ctx: Context, entryid: number): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (can(ctx.viewer, 'entry.confirm', { entry })) return;
  throw forbidden(
    ctx.viewer.impersonator === undefined
      ? 'A kiosk confirms nothing'
      : 'You cannot confirm while you act as another person',
  );
}

/** Throws 404 as above; 403 for people who never held the entry, and for administrators who act as another person. */
export async function mustConfirmHere(ctx: Context, entryid: number): Promise<void> {
  await mustAct(ctx, entryid, 'data');
  const entry = await mustSeeEntry(ctx, entryid);
  if (!can(ctx.viewer, 'entry.confirmHere', { entry }))
    throw forbidden('Nobody confirms anything while you act as another person');
}

/** Throws 404 as above, 403 for people who may not sign the record, and for administrators who act as another person. */
export async function mustSign(ctx: Context, entryid: number): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (can(ctx.viewer, 'entry.sign', { entry })) return;
  throw forbidden(
    ctx.viewer.impersonator === undefined
      ? 'Whoever finished an order, leads and administrators sign its record'
      : 'You cannot sign while you act as another person',
  );
}

/** Throws 404 as above, 403 unless the caller is the current holder or an administrator, and for a signed entry. */
export async function mustRemove(ctx: Context, entryid: number): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (can(ctx.viewer, 'entry.remove', { entry })) return;
  if (entry.signatures !== undefined) throw forbidden('The record of this order is signed, so it is kept');
  throw forbidden('Only its holder deletes an entry', ['Admin']);
}

/** The audience of an entry with its present guide. */
export async function audienceOfEntry(ctx: Context, entry: EntryFacts): Promise<Principal[]> {
  const guide = await findStored(ctx, 'guides', entry.guideid);
  return entryAudience({ entry, guide, seconds: ctx.seconds });
}
