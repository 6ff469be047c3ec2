import { firstValueFrom } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftManager } from '../editing/draft-manager.ts';
import { videoKey } from '../media/needs.ts';
import type { MediaCache } from '../media/queue.ts';

/** The pictures, documents and videos that records name. */
export class NamedMedia {
  readonly #named = new Set<string>();

  /** Adds the media that a record names. `text`: the record as JSON. */
  note(text: string): void {
    for (const [, guid = '', url = ''] of text.matchAll(/"guid":"([^"]+)"|"url":"([^"]+)"/g))
      this.#named.add(guid === '' ? videoKey(url) : guid);
  }

  /** Whether a record names the file with this key of the media cache. */
  has(key: string): boolean {
    const [kind, rest = ''] = key.split(/:(.*)/s);
    if (kind === 'video') return this.#named.has(key);
    return this.#named.has(kind === 'picture' ? rest.replace(/\.\w+$/, '') : rest);
  }
}

interface Deps {
  core: Core;
  drafts: DraftManager;
  media: MediaCache;
}

/** Removes the pictures, documents and videos that no record of any home, no draft and no waiting call names. */
export async function dropUnnamedMedia({ core, drafts, media }: Deps): Promise<void> {
  const named = new NamedMedia();
  await core.homes.read((body) => named.note(body));
  for (const call of await firstValueFrom(core.outbox.calls)) named.note(JSON.stringify(call));
  for (const { draft } of (await firstValueFrom(drafts.drafts)).values())
    named.note(JSON.stringify(draft.content()));
  await media.keepOnly((key) => named.has(key));
}
