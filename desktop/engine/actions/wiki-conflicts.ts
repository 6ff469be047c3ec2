import { Problem } from '#shared/api/problem.ts';
import { resolveWikiConflict } from '#shared/merge/wiki.ts';

import type { OutboxCall } from '../platform/ports.ts';
import type { ConflictChoice } from '../api/conflict-records.ts';
import { wikiEditBody, wikiSaveOf, type WikiSave } from '../outbox/kinds/pages.ts';
import { type ActionContext, openCallsOf } from '../features/action-context.ts';

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
