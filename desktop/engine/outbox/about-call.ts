import { sameValue } from '#shared/rules/same-value.ts';

import { guideSaveOf } from './kinds/guides.ts';
import { atRest } from './at-rest.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { wikiSaveOf } from './kinds/pages.ts';
import { type OwnWord } from './own-words.ts';
import type { About } from './kinds/kind.ts';
import { callKindSpecs } from './kinds/index.ts';

/** The guide or page that a call is about, by either of its ids. */
export function aboutOf(call: OutboxCall): About | null {
  const { collection, id } = call.target;
  if (collection === 'guides' || collection === 'wikis') return { collection, id };
  return callKindSpecs[call.kind].about?.(call) ?? null;
}

/** The guide that a call is about, by either of its ids. */
export function guideOf(call: OutboxCall): string | null {
  const about = aboutOf(call);
  return about?.collection === 'guides' ? about.id : null;
}

/** The page that a call is about, by either of its ids. */
export function wikiOf(call: OutboxCall): string | null {
  const about = aboutOf(call);
  return about?.collection === 'wikis' ? about.id : null;
}

/** The `uid` of the guide or page that a call is about; absent if the call does not say. */
export function uidOf(call: OutboxCall): { uid?: string } {
  const about = aboutOf(call);
  const { record } = call;
  const named = record?.c === about?.collection && record?.id === about?.id ? record?.uid : undefined;
  const uid = guideSaveOf(call)?.base?.uid ?? named;
  return uid === undefined ? {} : { uid };
}

/** A call's record with its home and the guide or page of its title, so that the title can be removed with that. */
export function callRecord(call: OutboxCall, home: string): StoredRecord {
  const about = callKindSpecs[call.kind].hasOwnName === true ? null : (aboutOf(call) ?? undefined);
  return atRest(call, about === undefined ? { home } : { home, about });
}

type StoredRecord = ReturnType<typeof atRest<{ home: string; about?: About | null }>>;

/** Whether a call shows that the server had given its record to this device. */
export function isBasedOn(call: OutboxCall): boolean {
  const named = call.record?.c;
  // A person who comments on a record, or marks it, has it too.
  if (named === 'comments' || (named !== undefined && named === aboutOf(call)?.collection)) return true;
  return (guideSaveOf(call)?.base ?? wikiSaveOf(call)?.base ?? null) !== null;
}

/** The record that a call changes, if others made it (LEAVING-9); null for any other call. */
export function recordOfOthers(call: OutboxCall): OutboxCall['record'] | null {
  if (callKindSpecs[call.kind].stripRecord === undefined || call.target.id.startsWith('tmp:')) return null;
  const { collection: c, id } = call.target;
  const { record } = call;
  return { c, id, uid: record?.c === c && record.id === id ? record.uid : '' };
}

/** The call without what it says of that record; the same call if it says nothing. */
export function withoutRecord(call: OutboxCall): OutboxCall {
  const bare = callKindSpecs[call.kind].stripRecord?.(call) ?? call;
  return sameValue(bare, call) ? call : bare;
}

/** The person's own words in a call that changes a guide or page, or comments on one; undefined for any other call. */
export function wordsOfCall(call: OutboxCall): OwnWord[] | undefined {
  return callKindSpecs[call.kind].words?.(call);
}

export function isComment({ kind }: OutboxCall): boolean {
  return kind === 'comment-add' || kind === 'comment-edit';
}

/**
 * A call without the content of a guide or page that the person can no longer see. Base, title and form are not needed to
 * send it. The same call if it has no such content.
 */
export function stripped(call: OutboxCall): OutboxCall {
  const { strip } = callKindSpecs[call.kind];
  if (strip !== undefined) return strip(call);
  const hasFacts = typeof call.context === 'object' && call.context !== null && 'base' in call.context;
  if (call.subject === '' && !hasFacts) return call;
  return { ...call, subject: '', context: hasFacts ? null : call.context };
}
