import { Problem } from '#shared/api/problem.ts';
import { mergeWiki, resolveWikiConflict } from '#shared/merge/wiki.ts';
import { wikiFacts } from '#shared/model/wiki.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import { tolerant } from '#shared/sync/tolerant.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import type { ConflictHandler, OutboxCall } from '../platform/ports.ts';
import type { ConflictChoice } from '../api/conflict-records.ts';
import { wikiContentOf, wikiEditBody, wikiSaveOf, type WikiSave } from '../outbox/kinds/pages.ts';
import { type ActionContext, openCallsOf } from './calls.ts';

const undecidable =
  'Someone else changed this page meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the page, then write it anew or discard it.';

/** Accepts pages of newer servers with unknown properties. */
const readWiki = tolerant(wikiFacts);

type Decision = Awaited<ReturnType<ConflictHandler['settle']>>;

/** Merges a save with the server's version. Without conflicts it is sent again; otherwise a person decides. */
export async function settleWikiSave(
  context: ActionContext,
  call: OutboxCall,
  current: readonly FeedRow[],
): Promise<Decision> {
  const row = current.find(({ c, doc }) => c === 'wikis' && doc !== undefined);
  const save = wikiSaveOf(call);
  const base = save?.base ?? null;
  if (row === undefined) return { action: 'park', message: 'The page is no longer there' };
  if (save === undefined || base === null) return { action: 'park', message: undecidable };
  const version = newestVersion(readWiki.parse(row.doc));
  const theirs = { revisionid: version.revisionid, content: wikiContentOf(version), userid: version.userid };
  const { merged, conflicts, merges } = mergeWiki(base.content, save.content, theirs.content);
  await unsettleFollowers(context, call);
  if (conflicts.length > 0) {
    const contest = { theirs, conflicts, merges, mineAt: call.at, theirsAt: version.modified_date * 1000 };
    return { action: 'decide', context: { ...save, content: merged, contest } satisfies WikiSave };
  }
  const body = wikiEditBody(theirs.content, merged);
  if (body === null) return { action: 'drop' };
  const { revisionid, content } = theirs;
  const path = await wikiPathNow(context, call);
  return {
    action: 'resend',
    ...(path === null ? {} : { path }),
    body,
    query: { ...call.query, revisionid: String(revisionid) },
    context: {
      namespace: save.namespace,
      base: { revisionid, content },
      content: merged,
      merged: true,
    } satisfies WikiSave,
  };
}

/**
 * Makes later saves stale: they get the old revision, so that the server refuses them and they are merged, too.
 * Otherwise their texts would replace what somebody else wrote.
 */
async function unsettleFollowers(context: ActionContext, call: OutboxCall): Promise<void> {
  const revisionid = call.query['revisionid'] ?? '0';
  for (const other of openCallsOf(context, 'wikis', call.target.id)) {
    if (other.order > call.order && other.state === 'queued')
      await context.sources.core.outbox.change(other.id, { query: { ...other.query, revisionid } });
  }
}

/** `/wikis/{namespace}/{title}` and the rest of a path. */
const pagePath = /^\/wikis\/(?<namespace>[A-Z]+)\/[^/]+(?<rest>\/.*)?$/;

/**
 * The new path of a call about a page whose title has changed; null if it has not, or the page is not on this device.
 */
export async function wikiPathNow(context: ActionContext, call: OutboxCall): Promise<string | null> {
  const { collection, id } = call.target;
  const found = pagePath.exec(call.path)?.groups;
  const wikiid = collection === 'wikis' ? id : id.replace(/^wikiTags:/, '');
  if (found === undefined) return null;
  const page = await context.sources.core.mirror.get('wikis', context.resolve(wikiid));
  // After a restore the number may belong to another page.
  const uid = call.record?.uid;
  if (page === null || (uid !== undefined && page.facts.uid !== undefined && page.facts.uid !== uid))
    return null;
  const path = `/wikis/${found['namespace']}/${encodeURIComponent(page.facts.title)}${found['rest'] ?? ''}`;
  return path === call.path ? null : path;
}

/** Decides one conflict of a page. After the last one, the page is saved on the server's version. */
export async function resolveWiki(
  context: ActionContext,
  wikiid: string,
  conflictid: string,
  choice: ConflictChoice,
): Promise<void> {
  const { outbox, environment } = context.sources.core;
  const call = openCallsOf(context, 'wikis', wikiid).find(({ state }) => state === 'conflict');
  const save = call === undefined ? undefined : wikiSaveOf(call);
  const conflict = save?.contest?.conflicts.find(({ id }) => id === conflictid);
  if (call === undefined || save?.contest === undefined || conflict === undefined)
    throw new Problem('not-found', 'This is decided already');
  const taken = choice.take === 'text' ? { text: choice.text } : choice.take;
  const content = resolveWikiConflict(save.content, conflict, taken);
  const conflicts = save.contest.conflicts.filter(({ id }) => id !== conflictid);
  if (conflicts.length > 0) {
    const next: WikiSave = { ...save, content, contest: { ...save.contest, conflicts } };
    return outbox.change(call.id, { context: next });
  }
  const { revisionid, content: theirContent } = save.contest.theirs;
  const body = wikiEditBody(theirContent, content);
  if (body === null) return outbox.remove(call.id);
  const base = { revisionid, content: theirContent };
  await outbox.change(call.id, {
    id: environment.uuid(),
    body,
    query: { ...call.query, revisionid: String(revisionid) },
    context: { namespace: save.namespace, base, content } satisfies WikiSave,
    state: 'queued',
    refusal: null,
  });
}
