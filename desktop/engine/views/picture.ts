import { Observable, Subscription, distinctUntilChanged, map, of, switchMap } from 'rxjs';

import { imageObjectOf } from '#shared/model/image.ts';

import { archivedFile } from '../features/archives/ids.ts';
import { JournalError } from '../journal/journal.ts';
import { pictureKey } from '../features/media/needs.ts';
import type { Services } from '../features/services.ts';
import { archivedFileUrl } from './document-file.ts';
import type { PictureSize } from '../api/records.ts';

/** Sizes that are shown instead if the wanted one is not on this device, in this order. */
const substitutes: PictureSize[] = ['large', 'original', 'huge', 'medium', 'standard', 'thumbnail'];

/**
 * The URL of a picture: an object URL of this device's copy, revoked when the view closes, or else the server's address
 * while online. A picture that waits for upload is read from the journal.
 */
export function picture(services: Services, guid: string, size: PictureSize): Observable<string | null> {
  const archived = archivedFile(guid);
  if (archived !== null) return archivedFileUrl(services, archived);
  if (!guid.startsWith('tmp:')) return serverPicture(services, guid, size);
  return uploadPicture(services, guid).pipe(
    switchMap((found) => {
      if ('url' in found) return of(found.url);
      return found.guid === null ? of(null) : serverPicture(services, found.guid, size);
    }),
  );
}

/** An object URL of an upload while it is in the journal, and then the guid of the picture on the server. */
function uploadPicture(
  { sources }: Services,
  guid: string,
): Observable<{ url: string } | { guid: string | null }> {
  return new Observable((subscriber) => {
    let url: string | null = null;
    const subscription = new Subscription();
    const { journal } = sources.core;
    journal
      .readFile(guid.slice('tmp:'.length))
      .then(({ bytes, type }) => {
        if (subscriber.closed) return;
        url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
        subscriber.next({ url });
      })
      .catch((error: unknown) => {
        if (!(error instanceof JournalError) || error.kind !== 'missing') return subscriber.error(error);
        const uploaded = sources.images.pipe(
          map((images) => images.get(Number(sources.resolve(guid)))?.guid ?? null),
          distinctUntilChanged(),
        );
        subscription.add(uploaded.subscribe((found) => subscriber.next({ guid: found })));
      });
    return () => {
      subscription.unsubscribe();
      if (url !== null) URL.revokeObjectURL(url);
    };
  });
}

function serverPicture(
  { media, sources }: Services,
  guid: string,
  size: PictureSize,
): Observable<string | null> {
  return new Observable((subscriber) => {
    let shown: { key: string | null; url: string | null } | null = null;
    let isOnline = true;
    const subscription = new Subscription();
    const show = (key: string | null, url: string | null): void => {
      if (shown?.key !== null && shown?.url != null) URL.revokeObjectURL(shown.url);
      shown = { key, url };
      subscriber.next(url);
    };
    const look = async (): Promise<void> => {
      const key = [size, ...substitutes]
        .map((one) => pictureKey(guid, one))
        .find((one) => media.cache.has(one));
      if (key !== undefined) {
        if (shown?.url != null && (shown.key === null || shown.key === key)) return;
        const blob = await media.cache.read(key);
        if (subscriber.closed || blob === undefined) return;
        return show(key, URL.createObjectURL(blob));
      }
      if (shown?.url != null && (shown.key !== null || isOnline)) return;
      const url = isOnline ? await addressOf(guid, size, { media, sources }) : null;
      if (!subscriber.closed && (shown === null || shown.url !== url)) show(null, url);
    };
    let turn = Promise.resolve();
    const soon = (): void => {
      turn = turn.then(look).catch((error: unknown) => subscriber.error(error));
    };
    subscription.add(
      sources.core.environment.online.subscribe((online) => {
        isOnline = online;
        soon();
      }),
    );
    subscription.add(media.changed.subscribe(soon));
    return () => {
      subscription.unsubscribe();
      if (shown?.key != null && shown.url !== null) URL.revokeObjectURL(shown.url);
    };
  });
}

async function addressOf(
  guid: string,
  size: PictureSize,
  { media, sources }: Pick<Services, 'media' | 'sources'>,
): Promise<string | null> {
  const server = sources.core.session.current().server;
  if (server === null) return null;
  const image = (await media.imageOf(guid)) ?? { id: 0, guid, width: 0, height: 0 };
  const urls = imageObjectOf(image, server);
  return urls[size] ?? urls.original;
}
