import { Observable } from 'rxjs';

import type { ArchivedFile } from '../features/archives/ids.ts';
import type { Services } from '../features/services.ts';

/**
 * An object URL of a file of an archive, unpacked when it is looked at and given back when nobody does any more. Of what
 * the archive only links to, the address; null when it has neither.
 */
export function archivedFileUrl(
  { archives: { media } }: Services,
  file: ArchivedFile,
): Observable<string | null> {
  return new Observable((subscriber) => {
    let url: string | null = null;
    const look = async (): Promise<void> => {
      const blob = await media.read(file);
      const link = blob === undefined ? ((await media.find(file))?.url ?? null) : null;
      if (subscriber.closed) return;
      url = blob === undefined ? null : URL.createObjectURL(blob);
      subscriber.next(url ?? link);
    };
    // A file that cannot be unpacked is missing; the guide around it can still be read.
    look().catch(() => subscriber.next(null));
    return () => {
      if (url !== null) URL.revokeObjectURL(url);
    };
  });
}
