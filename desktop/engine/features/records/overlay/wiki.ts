import { mergeWiki, type WikiContent } from '#shared/merge/wiki.ts';
import type { WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { newestVersion, shownVersion } from '#shared/rules/wiki-record.ts';

import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { wikiContentOf, wikiSaveOf } from '#desktop/engine/outbox/kinds/pages.ts';
import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { type ResolveId, applies, callsOf, isOpen } from './applies.ts';

/** A wiki page as this device shows it: the mirror's record with the person's waiting calls on top. */
export interface LocalWiki {
  /** The server's number, or `tmp:…`. */
  wikiid: string;
  namespace: WikiNamespace;
  /** Language; empty for a page that is on this device only and is no translation. */
  langid: string;
  /** The shown version of the mirror; null while the page is on this device only. */
  version: WikiVersion | null;
  content: WikiContent;
  /** The content with which an editor begins. */
  newest: WikiContent;
  /** Its revision; 0 while the page is on this device only. */
  newestRevisionid: number;
  patrol: 'none' | 'own' | 'others';
  pending: boolean;
  editState: Exclude<PlayableGuide['editState'], 'draft'>;
  /** ms since 1970. */
  modifiedAt: number;
}

/**
 * All pages, with the calls (oldest first) on top. `me`: the person, whose own edits are shown before they are
 * patrolled.
 */
export function overlayWikis(
  mirrored: readonly Mirrored<'wikis'>[],
  calls: readonly OutboxCall[],
  resolve: ResolveId,
  me: number,
): LocalWiki[] {
  const about = Map.groupBy(
    calls.filter(({ target }) => target.collection === 'wikis'),
    ({ target }) => resolve(target.id),
  );
  const keys = new Set(
    mirrored.flatMap(({ facts }) => (facts.key === undefined ? [] : [`tmp:${facts.key}`])),
  );
  const known = new Set(mirrored.map(({ id }) => id));
  const here = mirrored.map((record) => overlayWiki(record.id, record, about.get(record.id) ?? [], me));
  const made = [...about]
    .filter(([id]) => !known.has(id) && !keys.has(id))
    .map(([id, own]) => overlayWiki(id, null, own, me));
  return [...here, ...made].filter((one) => one !== null);
}

/** One page; null when it does not exist, or its deletion waits. */
export function localWiki(
  id: string,
  mirrored: readonly Mirrored<'wikis'>[],
  calls: readonly OutboxCall[],
  resolve: ResolveId,
  me: number,
): LocalWiki | null {
  const record = mirrored.find((one) => one.id === id || `tmp:${one.facts.key ?? ''}` === id) ?? null;
  return overlayWiki(record?.id ?? id, record, callsOf(calls, 'wikis', id, resolve), me);
}

function overlayWiki(
  id: string,
  record: Mirrored<'wikis'> | null,
  calls: readonly OutboxCall[],
  me: number,
): LocalWiki | null {
  // The record of a created page may arrive before the response to the call that created it.
  const own = calls.filter((call) => call.kind !== 'wiki-create' || record === null);
  let wiki = record === null ? null : fromMirror(record, me);
  for (const call of own) if (applies(call, record?.seq ?? null)) wiki = afterCall(id, wiki, call);
  if (wiki === null) return null;
  const open = own.filter(isOpen);
  const last = open.findLast((call) => wikiSaveOf(call) !== undefined);
  const newest = (last === undefined ? undefined : wikiSaveOf(last)?.content) ?? wiki.newest;
  return { ...wiki, newest, pending: open.length > 0, editState: editStateOf(open) };
}

function fromMirror({ id, facts }: Mirrored<'wikis'>, me: number): LocalWiki {
  const waits = facts.unpatrolled;
  const patrol = waits === undefined ? 'none' : waits.userid === me ? 'own' : 'others';
  const version = patrol === 'own' ? newestVersion(facts) : shownVersion(facts);
  return {
    wikiid: id,
    namespace: facts.namespace,
    langid: version.langid,
    version,
    content: wikiContentOf(version),
    newest: wikiContentOf(newestVersion(facts)),
    newestRevisionid: newestVersion(facts).revisionid,
    patrol,
    pending: false,
    editState: 'none',
    modifiedAt: version.modified_date * 1000,
  };
}

function afterCall(wikiid: string, wiki: LocalWiki | null, call: OutboxCall): LocalWiki | null {
  const save = wikiSaveOf(call);
  if (call.kind === 'wiki-create' && save !== undefined) {
    const { namespace, content, langid = '' } = save;
    const made = {
      wikiid,
      namespace,
      langid,
      version: null,
      content,
      newest: content,
      newestRevisionid: 0,
      patrol: 'none',
    } as const;
    return { ...made, pending: true, editState: 'queued', modifiedAt: call.at };
  }
  if (wiki === null || call.kind === 'wiki-delete') return null;
  if (call.kind === 'wiki-patrol') return { ...wiki, content: wiki.newest, patrol: 'none' };
  if (save === undefined) return wiki;
  // Merged if it was made on another version. In conflicts the person's text is shown.
  const before = save.base?.content ?? wiki.newest;
  const content = sameValue(wiki.newest, before)
    ? save.content
    : mergeWiki(before, wiki.newest, save.content).merged;
  return { ...wiki, content, newest: content, modifiedAt: call.at };
}

function editStateOf(open: readonly OutboxCall[]): LocalWiki['editState'] {
  const states = new Set(open.map((call) => call.state));
  if (states.has('conflict')) return 'conflict';
  if (states.has('parked')) return 'parked';
  return states.size > 0 ? 'queued' : 'none';
}
