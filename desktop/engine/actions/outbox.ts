import { Problem } from '#shared/api/problem.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import type { CoreActions } from '../api/engine.ts';
import { callKindSpecs } from '../outbox/kinds/index.ts';
import { entryContextOf, waitingValues } from '../outbox/kinds/work-orders.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';
import { firstValueFrom } from 'rxjs';

import { withBytes } from '../journal/bytes.ts';
import { isUnreadable, unreadableDraftId } from '../outbox/at-rest.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { wikiSaveOf } from '../outbox/kinds/pages.ts';
import { type ActionContext, impossible, openCallsOf } from '../features/action-context.ts';
import { takeBack } from './conflicts.ts';

type OutboxActions = Pick<
  CoreActions,
  'retryCall' | 'sendAllAgain' | 'discardCall' | 'exportCall' | 'editCall'
>;

/** Actions on waiting calls. */
export function outboxActions(context: ActionContext): OutboxActions {
  const { outbox } = context.sources.core;
  const retry = async (call: OutboxCall): Promise<void> => {
    const query = renewsRevision(call) ? await presentRevision(context, call) : call.query;
    await outbox.change(call.id, { state: 'queued', query, refusal: null, nextTryAt: 0 });
  };
  return {
    async retryCall(callid) {
      const call = readCall(context, callid);
      const isSave = guideSaveOf(call) !== undefined || wikiSaveOf(call) !== undefined;
      if (isSave && call.state === 'conflict') throw impossible('Decide the conflict first');
      await retry(call);
    },
    async sendAllAgain() {
      const parked = context.calls().filter((call) => call.state === 'parked' && mayGoWithAll(call));
      for (const call of parked) await retry(call);
      context.sources.core.sync.now();
      return parked.length;
    },
    async discardCall(callid) {
      if (callid.startsWith(unreadableDraftId(''))) return discardDraft(context, callid);
      const call = readCall(context, callid);
      // The words of a discarded save stay in its draft, which is edited for that.
      if (guideSaveOf(call) !== undefined) await context.drafts.toEdit();
      await discard(context, call);
    },
    async exportCall(callid) {
      const draft = await unreadableDraft(context, callid);
      if (draft !== null) return { filename: 'draft.json', json: JSON.stringify(draft, withBytes, 2) };
      const call = readCall(context, callid);
      if (isUnreadable(call))
        return { filename: `${call.id}.json`, json: JSON.stringify(call.context, null, 2) };
      const { kind, method, path, query, body, at, refusal, context: about } = call;
      const open = context.drafts.find(call.target.id)?.draft;
      const conflicts = guideSaveOf(call) === undefined ? undefined : open?.conflicts;
      const record = { kind, method, path, query, body, at, refusal, about, conflicts };
      return {
        filename: `${kind}-${new Date(at).toISOString().slice(0, 10)}.json`,
        json: JSON.stringify(record, null, 2),
      };
    },
    async editCall(callid, body) {
      const call = readCall(context, callid);
      await outbox.change(call.id, {
        state: 'queued',
        body,
        context: contextAfter(call, body),
        refusal: null,
      });
    },
  };
}

/**
 * Whether a call is included in "send all again". A call refused with 409 is not: the person compares the texts first
 * (OUTBOX-35).
 */
function mayGoWithAll(call: OutboxCall): boolean {
  return !isUnreadable(call) && call.refusal?.status !== 409;
}

/** A call by its id, or the contested save of a guide or page by `conflict:{guideid}` or `conflict:wiki:{wikiid}`. */
function readCall(context: ActionContext, callid: string): OutboxCall {
  const contested = callid.startsWith('conflict:') ? callid.slice('conflict:'.length) : null;
  const isContested = ({ state }: OutboxCall): boolean => state === 'conflict';
  const call =
    contested === null
      ? context.sources.core.outbox.get(callid)
      : contested.startsWith('wiki:')
        ? openCallsOf(context, 'wikis', contested.slice('wiki:'.length)).find(isContested)
        : context.drafts.openSaves(contested).find(isContested);
  if (call === undefined) throw new Problem('not-found', 'This change is no longer waiting');
  return call;
}

/**
 * Whether a call that the person sends again names the revision that the record has now: one whose conflict a person
 * decides, or one about a version of a page that has no text of its own. A save keeps its revision, and is merged.
 */
export function renewsRevision({ kind, query }: Pick<OutboxCall, 'kind' | 'query'>): boolean {
  const isDecided = callKindSpecs[kind].conflict === 'decide';
  return 'revisionid' in query && (isDecided || kind === 'wiki-patrol' || kind === 'wiki-revert');
}

async function presentRevision(context: ActionContext, call: OutboxCall): Promise<Record<string, string>> {
  const { collection, id } = call.target;
  const record = await context.sources.core.mirror.get(collection, context.resolve(id));
  const revisionid = record === null ? undefined : revisionOf(record.facts);
  return revisionid === undefined ? call.query : { ...call.query, revisionid: String(revisionid) };
}

/** The revision of a record of any collection; undefined if it has none. */
export function revisionOf(facts: SyncedDocument<SyncedCollection>): number | undefined {
  const version = 'namespace' in facts ? newestVersion(facts) : facts;
  return 'revisionid' in version ? version.revisionid : undefined;
}

/**
 * Removes a call. Calls about the record that it would have created are removed with it. Other calls that need the
 * record are parked, so that the person sees them.
 */
async function discard(context: ActionContext, call: OutboxCall): Promise<void> {
  const { outbox } = context.sources.core;
  const ids = new Set(idsCreatedBy(call));
  const dependents = context
    .calls()
    .filter((other) => isOpen(other) && other.id !== call.id && other.needs.some((id) => ids.has(id)));
  for (const other of dependents.toReversed()) {
    const isSame = other.target.collection === call.target.collection && other.target.id === call.target.id;
    if (isSame) await takeBack(context, other);
    else {
      const message = 'It needs something that was discarded';
      await outbox.change(other.id, { state: 'parked', refusal: { status: 0, message, errors: [] } });
    }
  }
  await takeBack(context, call);
}

/** The context of a call after its body was edited. Form values are shown from the context. */
function contextAfter(call: OutboxCall, body: unknown): unknown {
  const entry = entryContextOf(call);
  const fields = new Map<string, unknown>(Object.entries(body ?? {})).get('fields');
  if (entry === undefined || typeof fields !== 'object' || fields === null) return call.context;
  const values = new Map<string, unknown>(Object.entries(fields));
  const edited = waitingValues(entry).map((value) => {
    const revision = String(value.data.field_revisionid);
    const next = values.get(revision);
    const data = { ...value.data, value: typeof next === 'string' ? next : value.data.value };
    return [`value:${revision}`, { ...value, data }];
  });
  return { ...entry, ...Object.fromEntries(edited) };
}

/** Removes a draft that cannot be read. Throws `Problem` not-found when there is none. */
async function discardDraft(context: ActionContext, callid: string): Promise<void> {
  await context.drafts.toEdit();
  const isGone = await context.drafts.discardUnreadable(callid.slice(unreadableDraftId('').length));
  if (!isGone) throw new Problem('not-found', 'This draft is no longer kept');
}

/** The stored records of a draft that cannot be read, by id; null when the id names none. */
async function unreadableDraft({ sources, drafts }: ActionContext, callid: string): Promise<object | null> {
  const guideid = (await firstValueFrom(drafts.unreadable)).find((id) => unreadableDraftId(id) === callid);
  if (guideid === undefined) return null;
  const store = sources.core.drafts;
  const ids = (await firstValueFrom(store.ids)).filter(
    (id) => id === guideid || id.startsWith(`${guideid}+`),
  );
  const records = await Promise.all(ids.map(async (id) => [id, await store.get(id)] as const));
  return Object.fromEntries(records);
}
