import { distinctUntilChanged, map, Observable, switchMap } from 'rxjs';

import { archivedFile, type ArchivedFile } from '../features/archives/ids.ts';
import { documentBlob } from '../features/media/document-blob.ts';
import type { Services } from '../features/services.ts';
import { mayLoadLinks } from '../storage/archive-record.ts';

/**
 * An object URL of this device's copy of a document, revoked when the view closes; null while it is not on this device.
 * A document that waits for upload is read from the journal.
 */
export function documentFile(services: Services, guid: string): Observable<string | null> {
  const archived = archivedFile(guid);
  if (archived !== null) return archivedFileUrl(services, archived);
  return fileUrl(services.media, () => documentBlob(services, guid));
}

/**
 * An object URL of this device's copy of a video. A page cannot load videos from the server, as it cannot send its
 * token.
 */
export function videoFile(services: Services, file: string): Observable<string | null> {
  const { media } = services;
  const archived = archivedFile(file);
  if (archived !== null) return archivedFileUrl(services, archived);
  return fileUrl(media, () => media.cache.read(file));
}

/**
 * An object URL of a file of an archive, which is unpacked for it, revoked when the view closes. For a file to which
 * the archive only links, its address if it may be loaded; else null.
 */
export function archivedFileUrl(
  { archives: { media, store } }: Services,
  file: ArchivedFile,
): Observable<string | null> {
  const mayLoad = store.archives.pipe(
    map((all) => all.some(({ record }) => record.archiveid === file.archiveid && mayLoadLinks(record))),
    distinctUntilChanged(),
  );
  return mayLoad.pipe(switchMap((may) => shownFile(media, file, may)));
}

function shownFile(
  media: Services['archives']['media'],
  file: ArchivedFile,
  mayLoad: boolean,
): Observable<string | null> {
  return new Observable((subscriber) => {
    let url: string | null = null;
    const look = async (): Promise<void> => {
      const blob = await media.read(file);
      const found = blob === undefined ? await media.find(file) : undefined;
      // A document is loaded when a person opens it, and a picture or video when it is shown.
      const link = found !== undefined && (mayLoad || found.kind === 'document') ? found.url : null;
      if (subscriber.closed) return;
      url = blob === undefined ? null : URL.createObjectURL(blob);
      subscriber.next(url ?? link);
    };
    // A file that cannot be unpacked counts as missing; the rest of the guide can still be read.
    look().catch(() => subscriber.next(null));
    return () => {
      if (url !== null) URL.revokeObjectURL(url);
    };
  });
}

function fileUrl(media: Services['media'], read: () => Promise<Blob | undefined>): Observable<string | null> {
  return new Observable((subscriber) => {
    let url: string | null = null;
    const look = async (): Promise<void> => {
      if (url !== null || subscriber.closed) return;
      const blob = await read();
      if (subscriber.closed) return;
      url = blob === undefined ? null : URL.createObjectURL(blob);
      subscriber.next(url);
    };
    let turn = Promise.resolve();
    const subscription = media.changed.subscribe(() => {
      turn = turn.then(look).catch((error: unknown) => subscriber.error(error));
    });
    return () => {
      subscription.unsubscribe();
      if (url !== null) URL.revokeObjectURL(url);
    };
  });
}
