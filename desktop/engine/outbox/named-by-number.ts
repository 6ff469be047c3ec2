import { z } from 'zod';

import type { BatchCall, NamedFile } from '#shared/sync/wire.ts';

import { entryContextOf, waitingValues } from './kinds/work-orders.ts';
import { guideSaveOf } from './kinds/guides.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { profileEditOf } from './kinds/people.ts';
import { wikiSaveOf } from './kinds/pages.ts';

const fileId = z.union([z.number(), z.string()]);
const pictures = z
  .object({
    type: z.literal('image'),
    data: z.array(z.union([fileId, z.object({ imageid: fileId }).transform(({ imageid }) => imageid)])),
  })
  .transform(({ data }) => data);
/** Numbers of files in the body of a save: pictures of steps, its own picture, and documents. */
const naming = z.object({
  image: fileId.nullish(),
  documents: z.array(fileId).default([]),
  featured_documentid: fileId.nullish(),
  steps: z.array(z.object({ media: pictures.optional().catch(undefined) })).default([]),
});

/** The pictures and documents that a save or profile names by number, with the guid that this device knew (OUTBOX-34). */
export function filesNamed(call: OutboxCall): NamedFile[] {
  const content = guideSaveOf(call)?.content ?? wikiSaveOf(call)?.content;
  if (content === undefined) return profilePicture(call);
  const body = naming.safeParse(call.body).data;
  if (body === undefined) return [];
  const named = {
    image: new Set([...body.steps.flatMap(({ media = [] }) => media), body.image ?? null]),
    document: new Set([...body.documents, body.featured_documentid ?? null]),
  };
  const { image, documents = [] } = content;
  const steps = 'steps' in content ? content.steps : [];
  const known: NamedFile[] = [
    ...[
      ...steps.flatMap(({ media }) => (media.type === 'image' ? media.data : [])),
      ...(image === null ? [] : [image]),
    ].map(({ id, guid }) => ({ kind: 'image' as const, id, guid })),
    ...documents.map(({ documentid: id, guid }) => ({ kind: 'document' as const, id, guid })),
  ];
  return known.filter(({ kind, id }) => id > 0 && named[kind].has(id));
}

function profilePicture(call: OutboxCall): NamedFile[] {
  const image = profileEditOf(call)?.image ?? null;
  const isNamed = image !== null && image.id > 0 && naming.safeParse(call.body).data?.image === image.id;
  return isNamed ? [{ kind: 'image', id: image.id, guid: image.guid }] : [];
}

const namingField = z
  .object({ data: z.object({ field_revisionid: z.int(), field_guid: z.string() }) })
  .transform(({ data }) => ({ id: data.field_revisionid, guid: data.field_guid }));

/** The fields for which a call has values, by number, with the guid that this device knew (OUTBOX-34). */
export function fieldsNamed(call: OutboxCall): NonNullable<BatchCall['fields']> {
  const context = call.kind === 'entry-data' ? entryContextOf(call) : undefined;
  if (context === undefined) return [];
  return waitingValues(context).flatMap((value) => namingField.safeParse(value).data ?? []);
}

/** Whether two calls have values for different fields with the same number, as can happen after a restore. */
export function nameOtherFields(one: OutboxCall, other: OutboxCall): boolean {
  const guids = new Map(fieldsNamed(one).map(({ id, guid }) => [id, guid]));
  return fieldsNamed(other).some(({ id, guid }) => (guids.get(id) ?? guid) !== guid);
}
