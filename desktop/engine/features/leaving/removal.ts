import { ownerOf } from '#desktop/engine/storage/archive-record.ts';
import { NamedMedia } from './named-media.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'sources' | 'media' | 'archives'>;

/**
 * Removes what removed homes leave outside of their databases (README, LEAVING-7): archives that were made for their
 * person, all archives when no home is left, and media that no other home names. Then rewrites the files that held
 * deleted data.
 */
export async function finishRemovals({ sources, media, archives }: Deps): Promise<void> {
  const { homes } = sources.core;
  for (const { home, origin, userid } of await homes.erased()) {
    const isLast = (await homes.count()) === 0;
    for (const { archiveid, origin: came } of await archives.store.records()) {
      const owner = ownerOf(came);
      const isTheirs = owner?.server === origin && owner.userid === userid;
      if (isLast || isTheirs) await archives.remove(archiveid);
    }
    const named = new NamedMedia();
    await homes.read((body) => named.note(body));
    await media.cache.keepOnly((key) => named.has(key));
    await homes.finishRemoval(home);
  }
  // Runs in the background. A failure is tried again at the next start.
  homes.scrub().catch(() => undefined);
}
