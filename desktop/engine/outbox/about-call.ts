import { entryContextOf } from './kinds/entry-calls.ts';
import { guideSaveOf } from './kinds/guide-save.ts';
import { atRest } from './at-rest.ts';
import type { CallKind, OutboxCall } from '../platform/ports.ts';
import { quizContextOf } from './kinds/quiz-calls.ts';
import { commentPlaceOf, commentTextOf } from './kinds/comments.ts';
import { blankWiki, wikiSaveOf } from './kinds/wiki-save.ts';
import { contestedWords, ownFields, ownWords, type OwnWord } from './own-words.ts';

/** The guide or page that a call is about, by either of its ids. */
export interface About {
  collection: 'guides' | 'wikis';
  id: string;
}

export function aboutOf(call: OutboxCall): About | null {
  const guideid = guideOf(call);
  if (guideid !== null) return { collection: 'guides', id: guideid };
  const wikiid = wikiOf(call);
  return wikiid === null ? null : { collection: 'wikis', id: wikiid };
}

/** What names the guide or page that a call is about for ever; absent where the call does not say. */
export function uidOf(call: OutboxCall): { uid?: string } {
  const about = aboutOf(call);
  const { record } = call;
  const named = record?.c === about?.collection && record?.id === about?.id ? record?.uid : undefined;
  const uid = guideSaveOf(call)?.base?.uid ?? named;
  return uid === undefined ? {} : { uid };
}

/** Kinds whose subject is no title: a name of the person's own, or one that everybody sees. */
const ownNames: ReadonlySet<CallKind> = new Set<CallKind>([
  'entry-create',
  'entry-move',
  'entry-data',
  'profile-save',
  'membership',
  'archive-import',
  'upload-image',
  'upload-document',
  'upload-video',
]);

/** A call's record with its home and what its subject is the title of: so the name can leave with that. */
export function callRecord(call: OutboxCall, home: string): StoredRecord {
  const about = ownNames.has(call.kind) ? null : (aboutOf(call) ?? undefined);
  return atRest(call, about === undefined ? { home } : { home, about });
}

type StoredRecord = ReturnType<typeof atRest<{ home: string; about?: About | null }>>;

/** Whether a call shows that the server had given its record to this device. */
export function isBasedOn(call: OutboxCall): boolean {
  const named = call.record?.c;
  // Who comments on it, or marks it, has it too.
  if (named === 'comments' || (named !== undefined && named === aboutOf(call)?.collection)) return true;
  return (guideSaveOf(call)?.base ?? wikiSaveOf(call)?.base ?? null) !== null;
}

/** The person's own words in a call that changes a guide or page, or comments on one; undefined for any other call. */
export function wordsOfCall(call: OutboxCall): OwnWord[] | undefined {
  const save = guideSaveOf(call);
  if (save !== undefined) return [...ownWords(save.before, save.content), ...(save.contest?.mine ?? [])];
  const page = wikiSaveOf(call);
  if (page !== undefined) {
    const mine = contestedWords(page.contest?.conflicts ?? []);
    return [...ownFields(page.base?.content ?? blankWiki(''), page.content), ...mine];
  }
  if (isComment(call)) return [{ place: {}, value: commentTextOf(call) }];
  return undefined;
}

export function isComment({ kind }: OutboxCall): boolean {
  return kind === 'comment-add' || kind === 'comment-edit';
}

/**
 * A call without what it holds of a guide or page that the person can no longer see: base, title and form are not needed to
 * send it. The same call when nothing is left to take away.
 */
export function stripped(call: OutboxCall): OutboxCall {
  const entry = entryContextOf(call);
  if (entry !== undefined) {
    const { base, ...rest } = entry;
    return base === undefined ? call : { ...call, context: rest };
  }
  const quiz = quizContextOf(call);
  const subject = '';
  if (quiz !== undefined)
    return quiz.title === '' ? call : { ...call, subject, context: { ...quiz, title: '' } };
  const hasFacts = typeof call.context === 'object' && call.context !== null && 'base' in call.context;
  if (call.subject === '' && !hasFacts) return call;
  return { ...call, subject, context: hasFacts ? null : call.context };
}

/** The guide that a call is about, by either of its ids. */
export function guideOf(call: OutboxCall): string | null {
  if (call.target.collection === 'guides') return call.target.id;
  if (call.kind === 'favorite' || call.kind === 'completion') return guideOfMark(call);
  if (call.kind === 'guide-tag') return taggedIn(call);
  const attempt = quizContextOf(call);
  if (attempt !== undefined) return attempt.guideid;
  return commentPlaceOf(call)?.guideid ?? entryContextOf(call)?.guideid ?? null;
}

/** The page that a call is about, by either of its ids. */
export function wikiOf(call: OutboxCall): string | null {
  if (call.target.collection === 'wikis') return call.target.id;
  if (call.kind === 'wiki-tag') return taggedIn(call);
  return commentPlaceOf(call)?.wikiid ?? null;
}

/** `favorite:61` → `61`, `favorite:tmp:…` → `tmp:…`. */
export function guideOfMark(call: OutboxCall): string {
  return call.target.id.slice(call.target.id.indexOf(':') + 1);
}

/** `guideTags:61` → `61`. */
export function taggedIn(call: OutboxCall): string {
  return call.target.id.slice(call.target.id.indexOf(':') + 1);
}
