import type { BatchCall, SyncedCollection } from '#shared/sync/wire.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import { guideSaveOf, type GuideSave } from '../guide-save.ts';
import type { OutboxCall } from '../ports.ts';

/** Where the id of a record stands in the path of a documented call. */
const placesOfIds: Partial<Record<SyncedCollection, RegExp>> = {
  guides: /^(\/guides\/|\/comments\/guide\/|\/user\/favorites\/guides\/)(\d+)(?=\/|$)/,
  workLog: /^(\/work_log\/)(\d+)(?=\/|$)/,
  comments: /^(\/comments\/)(\d+)$/,
};

const creations = new Map<string, SyncedCollection>([
  ['guide-create', 'guides'],
  ['entry-create', 'workLog'],
  ['comment-add', 'comments'],
]);

/**
 * The calls that a restored server is offered again, in their old order and with their old keys (O14). Numbers that
 * the server gave to what these calls created are taken back: it may give them to something else now. The server puts
 * the right number in for a key it still knows, so that such a call is recognised and has no second effect.
 */
export function offersOf(sent: readonly OutboxCall[]): OutboxCall[] {
  const made = new Map<string, string>();
  for (const call of sent) {
    const collection = creations.get(call.kind);
    const real = call.created[temporaryId(call.id)];
    if (collection !== undefined && real !== undefined)
      made.set(`${collection}/${real}`, temporaryId(call.id));
  }
  return sent.map((call) => ({
    ...withTemporaryPath(call, made),
    ...unknownToDrafts(call),
    state: 'queued',
    created: {},
    doneSeq: null,
    doneAt: null,
  }));
}

/** The draft of a save is gone as soon as the server has it (O30). */
export function unknownToDrafts(call: OutboxCall): Pick<OutboxCall, 'context'> {
  const save = guideSaveOf(call);
  return { context: save === undefined ? call.context : ({ ...save, offered: true } satisfies GuideSave) };
}

function withTemporaryPath(call: OutboxCall, made: ReadonlyMap<string, string>): OutboxCall {
  for (const [collection, place] of Object.entries(placesOfIds)) {
    const path = call.path.replace(place, (whole, before: string, id: string) => {
      const temporary = made.get(`${collection}/${id}`);
      return temporary === undefined ? whole : before + temporary;
    });
    if (path !== call.path) return { ...call, path };
  }
  return call;
}

/** The call as the batch carries it. */
export function wireCall({ id, lane, method, path, query, body }: OutboxCall): BatchCall {
  return {
    id,
    lane,
    method,
    path,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
}
