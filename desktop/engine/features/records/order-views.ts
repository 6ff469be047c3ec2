import { type Observable, combineLatest, map } from 'rxjs';

import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import type { GuideRow, Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { type LocalEntry, overlayEntry } from './overlay/entry.ts';
import type { Me, Sources } from './sources.ts';
import { workOrderView } from './work-order-view.ts';

/** The mirror's work orders with waiting calls on top, and work orders that exist in calls only. */
export function localEntries(
  records: readonly Mirrored<'workLog'>[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): LocalEntry[] {
  const byEntry = new Map<string, OutboxCall[]>(records.map((record) => [record.id, []]));
  for (const call of calls) {
    if (entryContextOf(call) === undefined) continue;
    const id = resolve(call.target.id);
    const own = byEntry.get(id);
    if (own === undefined) byEntry.set(id, [call]);
    else own.push(call);
  }
  const mirrored = new Map(records.map((record) => [record.id, record]));
  return [...byEntry].flatMap(([id, own]) => overlayEntry(id, mirrored.get(id) ?? null, own) ?? []);
}

/** A function that makes the view of a work order. */
export function orderViewMaker(sources: Sources): Observable<(entry: LocalEntry) => WorkOrder> {
  return combineLatest([sources.me, sources.names, sources.rows, sources.calls]).pipe(
    map(([me, names, rows, calls]) => {
      const guides = guideNames(rows, calls, sources);
      return (entry: LocalEntry): WorkOrder => oneView(entry, me, names, guides, sources);
    }),
  );
}

type GuideName = { title: string; imageGuid: string | null };

function guideNames(
  rows: readonly GuideRow[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): Map<string, GuideName> {
  const guides = new Map<string, GuideName>();
  for (const call of calls) {
    const content = call.kind === 'guide-create' ? guideSaveOf(call)?.content : undefined;
    if (content === undefined) continue;
    guides.set(resolve(call.target.id), { title: content.title, imageGuid: content.image?.guid ?? null });
  }
  for (const { id, title, imageGuid } of rows)
    guides.set(id, { title, imageGuid: imageGuid === '' ? null : imageGuid });
  return guides;
}

function oneView(
  entry: LocalEntry,
  me: Me,
  names: ReadonlyMap<number, string>,
  guides: ReadonlyMap<string, GuideName>,
  { core, resolve }: Sources,
): WorkOrder {
  const guideid = resolve(entry.guideid);
  const guide = guides.get(guideid);
  return workOrderView(
    { ...entry, guideid },
    {
      me: me.userid,
      offset: core.clock.offset(),
      guideTitle: guide?.title ?? '',
      imageGuid: guide?.imageGuid ?? null,
      nameOf: (userid) => names.get(userid) ?? '',
    },
  );
}
