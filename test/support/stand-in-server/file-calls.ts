import type { Answer } from '#desktop/engine/outbox/answers.ts';
import type { ImageRef, ImageWithMetadata } from '#shared/model/image.ts';

import { type Call, done } from './call-results.ts';
import type { Records } from './records.ts';

/** A picture that was uploaded. */
export function imageOf(records: Records, id: number): ImageRef | undefined {
  if (!records.has('media', `image:${id}`)) return undefined;
  return records.read<{ image: ImageRef }>('media', `image:${id}`).image;
}

/** Stores a picture or a document; only its size and name are kept. */
export function upload(records: Records, call: Call, userid: number): Answer {
  const id = records.nextId();
  const file = {
    userid,
    filename: call.query?.['file'] ?? '',
    size: call.size ?? 3,
    sha256: '',
    key: call.id,
  };
  const created = { [`tmp:${call.id}`]: id };
  if (call.path.endsWith('/documents')) {
    const item = { kind: 'document', documentid: id, guid: `document${id}`, ...file };
    return done([records.put('media', `document:${id}`, item, call.id)], created);
  }
  const image = { id, guid: `picture${id}`, width: 1600, height: 1200 };
  return {
    ...done([records.put('media', `image:${id}`, { kind: 'image', image, ...file }, call.id)], created),
    body: uploadedImage(image),
  };
}

function uploadedImage({ id, guid, width, height }: ImageRef): ImageWithMetadata {
  const image = {
    id,
    guid,
    mini: '',
    thumbnail: '',
    '140x105': '',
    '200x150': '',
    standard: '',
    '440x330': '',
    medium: '',
    large: '',
    huge: '',
    original: '',
  };
  return { image, srcid: null, width, height, ratio: 'FOUR_THREE', markup: null, exif: [] };
}
