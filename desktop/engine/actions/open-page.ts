import { notFound } from '#shared/api/problem.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import { isUnsent } from '../outbox/coalesce.ts';
import { pagePath, wikiContentOf, wikiSaveOf, type WikiBase } from '../outbox/kinds/pages.ts';
import { personId, teamId } from '../outbox/kinds/people.ts';
import type { NewCall } from '../platform/ports.ts';
import { type ActionContext, impossible, laneOf, openCallsOf } from '../features/action-context.ts';

/** A page as the next call of the person finds it: the mirror's record with the waiting calls. */
export interface OpenPage {
  id: string;
  namespace: WikiNamespace;
  /** The language in the query; empty for a page that is no translation. */
  langid: string;
  /** The newest version of the server, as far as this device knows; null before the server has the page. */
  revisionid: number | null;
  /** What the next save is compared with. Its `revisionid` is null while a call that changes the page waits. */
  base: WikiBase;
  /** Whether the last waiting call is a save that was not sent yet, and that a new save may change. */
  isUnsent: boolean;
  isContested: boolean;
  /** Its name in the list of waiting calls. */
  subject: string;
}

/** The page with this id. Throws `Problem` not-found. */
export async function pageOf(context: ActionContext, wikiid: string): Promise<OpenPage> {
  const id = context.resolve(wikiid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('wikis', id);
  const open = openCallsOf(context, 'wikis', id);
  const last = open.findLast((call) => wikiSaveOf(call) !== undefined);
  const waiting = last === undefined ? undefined : wikiSaveOf(last);
  const newest = record === null ? null : newestVersion(record.facts);
  const namespace = newest?.namespace ?? waiting?.namespace;
  const content = waiting?.content ?? (newest === null ? undefined : wikiContentOf(newest));
  if (namespace === undefined || content === undefined) throw notFound('Page');
  const isAwaited = open.some((call) => call.state !== 'parked');
  const revisionid = isAwaited ? null : (newest?.revisionid ?? null);
  return {
    id,
    namespace,
    langid:
      newest === null ? (waiting?.langid ?? '') : newest.source_revisionid === null ? '' : newest.langid,
    revisionid: newest?.revisionid ?? null,
    base: { revisionid, content },
    isUnsent: last !== undefined && last === open.at(-1) && isUnsent(last),
    isContested: open.some((call) => call.state === 'conflict'),
    subject: await subjectOf(context, namespace, content),
  };
}

/** The title that is shown. A page of a person or team without a title has their name. */
export async function subjectOf(
  context: ActionContext,
  namespace: WikiNamespace,
  { title, display_title }: WikiContent,
): Promise<string> {
  if (display_title !== '' && display_title !== title) return display_title;
  if (namespace !== 'USER' && namespace !== 'TEAM') return title;
  const id = namespace === 'USER' ? personId(Number(title)) : teamId(Number(title));
  const facts = (await context.sources.core.mirror.get('people', id))?.facts;
  return (facts?.kind === 'team' ? facts.name : facts?.username) ?? title;
}

/** Throws `Problem` while a conflict of the page is not decided. */
export function mustBeDecided({ isContested }: OpenPage): void {
  if (isContested) throw impossible('Decide first what this page is to say');
}

/** The common part of calls about a page. */
export function callOf(
  context: ActionContext,
  { id, namespace, base, subject }: OpenPage,
): Pick<NewCall, 'lane' | 'path' | 'target' | 'subject'> {
  return {
    lane: laneOf(context, 'wiki', 'wikis', id),
    path: pagePath(namespace, base.content.title),
    target: { collection: 'wikis', id },
    subject,
  };
}

/** The query of calls about a page: the revision on which they are made, and the language of a translation. */
export function queryOf({ base, langid }: OpenPage): Record<string, string> {
  const revisionid = base.revisionid === null ? previousRevision : String(base.revisionid);
  return { revisionid, ...(langid === '' ? {} : { langid }) };
}
