import { Problem } from '#shared/api/problem.ts';
import { resolveWikiConflict } from '#shared/merge/wiki.ts';
import { must } from '#shared/must.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';

import type { OutboxCall } from '../platform/ports.ts';
import type { Decision } from '../api/conflict-records.ts';
import { mustBeSeen, mustReopen, reopening, tooLate } from '../features/editing/decisions.ts';
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

/** Decides conflicts of a page. After the last one, the page is saved on the server's version. */
export async function resolveWiki(
  context: ActionContext,
  wikiid: string,
  decisions: readonly Decision[],
): Promise<void> {
  const { outbox, environment } = context.sources.core;
  const call = openCallsOf(context, 'wikis', wikiid).find(({ state }) => state === 'conflict');
  const save = call === undefined ? undefined : wikiSaveOf(call);
  if (call === undefined || save?.contest === undefined)
    throw new Problem('not-found', 'This is decided already');
  let { content } = save;
  let { conflicts } = save.contest;
  mustBeSeen(decisions, conflicts, 'page');
  for (const { conflictid, choice } of decisions) {
    const conflict = must(
      conflicts.find(({ id }) => id === conflictid),
      'the conflict',
    );
    content = resolveWikiConflict(
      content,
      conflict,
      choice.take === 'text' ? { text: choice.text } : choice.take,
    );
    conflicts = conflicts.filter((one) => one !== conflict);
  }
  if (conflicts.length > 0) {
    const next: WikiSave = { ...save, content, contest: { ...save.contest, conflicts } };
    return outbox.change(call.id, { context: next });
  }
  const { revisionid, content: theirContent } = save.contest.theirs;
  const body = wikiEditBody(theirContent, content);
  const callid = body === null ? null : environment.uuid();
  const id = `wiki:${context.resolve(wikiid)}`;
  context.drafts.decidedConflicts.set(id, { kind: 'page', call, save, decided: content, callid });
  if (callid === null) return outbox.remove(call.id);
  const base = { revisionid, content: theirContent };
  await outbox.change(call.id, {
    id: callid,
    body,
    query: { ...call.query, revisionid: String(revisionid) },
    context: { namespace: save.namespace, base, content } satisfies WikiSave,
    state: 'queued',
    refusal: null,
  });
}

/** Puts the conflicts that were decided last up for decision again, while the server does not have the decisions. */
export async function reopenWiki(context: ActionContext, wikiid: string): Promise<void> {
  const { outbox, mirror } = context.sources.core;
  const id = context.resolve(wikiid);
  const { decidedConflicts } = context.drafts;
  const page = await mirror.get('wikis', id);
  const revisionid = page === null ? undefined : newestVersion(page.facts).revisionid;
  const undecided = decidedConflicts.get(`wiki:${id}`);
  if (undecided?.kind !== 'page') throw tooLate();
  mustReopen(reopening(undecided, { waiting: openCallsOf(context, 'wikis', id), revisionid }));
  const { call, save, callid } = undecided;
  const { kind, lane, method, path, query, body, target, subject, record } = call;
  if (callid !== null) await outbox.change(callid, { state: 'conflict', body, query, context: save });
  else
    await outbox.add([
      {
        kind,
        lane,
        method,
        path,
        query,
        body,
        target,
        subject,
        ...(record !== undefined && { record }),
        context: save,
        state: 'conflict',
      },
    ]);
  decidedConflicts.set(`wiki:${id}`, null);
}
