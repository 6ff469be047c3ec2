import { imageIdsOf, type WaitingGuideEdit } from '#shared/rules/guide-edit-body.ts';
import type { NamedFile } from '#shared/sync/wire.ts';

import { guideSaveOf } from '../guide-save.ts';
import type { OutboxCall } from '../ports.ts';

/** The pictures and documents that the body of a save names by number, as its author knew them (O34). */
export function filesNamed(call: OutboxCall): NamedFile[] {
  const save = guideSaveOf(call);
  if (save === undefined) return [];
  const { image, documents = [], steps = [] } = call.body as WaitingGuideEdit;
  const pictures = steps.flatMap(({ media }) => (media?.type === 'image' ? imageIdsOf(media.data) : []));
  const named = {
    image: new Set([...pictures, image ?? null]),
    document: new Set(documents),
  };
  const { content } = save;
  const known: NamedFile[] = [
    ...[
      ...content.steps.flatMap(({ media }) => (media.type === 'image' ? media.data : [])),
      ...(content.image === null ? [] : [content.image]),
    ].map(({ id, guid }) => ({ kind: 'image' as const, id, guid })),
    ...content.documents.map(({ documentid: id, guid }) => ({ kind: 'document' as const, id, guid })),
  ];
  return known.filter(({ kind, id }) => id > 0 && named[kind].has(id));
}
