import { isTemporaryId } from '#shared/rules/guide-content.ts';

import { JournalError } from '../../journal/journal.ts';
import { archivedFile } from '../archives/ids.ts';
import type { Services } from '../services.ts';
import { documentKey } from './documents.ts';

/** This device's copy of a document; undefined while it is not on this device. */
export async function documentBlob(
  { archives, media, sources }: Services,
  guid: string,
): Promise<Blob | undefined> {
  const archived = archivedFile(guid);
  if (archived !== null) return archives.media.read(archived);
  if (isTemporaryId(guid)) return waitingFile(sources.core.journal, guid);
  return media.cache.read(documentKey(guid));
}

async function waitingFile(
  journal: Services['sources']['core']['journal'],
  guid: string,
): Promise<Blob | undefined> {
  try {
    const { bytes, type } = await journal.readFile(guid.slice('tmp:'.length));
    return new Blob([new Uint8Array(bytes)], { type });
  } catch (error) {
    if (error instanceof JournalError && error.kind === 'missing') return undefined;
    throw error;
  }
}
