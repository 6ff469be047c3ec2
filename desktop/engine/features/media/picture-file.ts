import { firstValueFrom } from 'rxjs';

import { notFound } from '#shared/api/problem.ts';
import type { MediaItemFacts } from '#shared/model/media.ts';
import { isTemporaryId } from '#shared/rules/guide-content.ts';

import type { PictureFile } from '../../api/records.ts';
import { JournalError } from '../../journal/journal.ts';
import type { Services } from '../services.ts';
import { pictureKey, substitutes } from './needs.ts';

type Deps = Pick<Services, 'media' | 'sources'>;

/**
 * The file of a picture, from which another one can be made: the upload that waits, the original on this device or on
 * the server, or else the largest copy on this device. Throws `Problem` not-found when there is none.
 */
export async function pictureFile(deps: Deps, guid: string): Promise<PictureFile> {
  const { media, sources } = deps;
  if (isTemporaryId(guid)) {
    const waiting = await waitingPicture(deps, guid);
    if (waiting !== undefined) return waiting;
  }
  const items = await firstValueFrom(sources.core.mirror.all('media'));
  const number = Number(sources.resolve(guid));
  const isIt = (facts: MediaItemFacts): boolean =>
    facts.kind === 'image' && (facts.image.guid === guid || facts.image.id === number);
  const item = items.map(({ facts }) => facts).find(isIt);
  const image = item?.kind === 'image' ? item.image : await media.imageOf(guid);
  if (image === undefined) throw notFound('Image');
  const filename = item?.filename ?? 'picture';
  const original = await media.original(image);
  if (original !== undefined) return { file: original, filename, isSmaller: false };
  for (const size of substitutes) {
    const file = await media.cache.read(pictureKey(image.guid, size));
    if (file !== undefined) return { file, filename, isSmaller: true };
  }
  throw notFound('Image');
}

/** A picture that waits for upload; undefined if it is on the server. */
async function waitingPicture({ sources }: Deps, guid: string): Promise<PictureFile | undefined> {
  try {
    const { bytes, type, name } = await sources.core.journal.readFile(guid.slice('tmp:'.length));
    const file = new Blob([new Uint8Array(bytes)], { type });
    return { file, filename: name, isSmaller: false };
  } catch (error) {
    if (error instanceof JournalError && error.kind === 'missing') return undefined;
    throw error;
  }
}
