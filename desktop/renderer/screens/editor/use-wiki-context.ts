import { useMemo } from 'react';

import { wikiContext } from '#desktop/engine/features/records/rendering.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

/**
 * Context for previews of a text being written: the guides of this device, `images`, and `template`, which returns
 * the wiki text of a template by name. `images` and `template` must keep their identity while they are unchanged.
 */
export function useWikiContext(images: readonly ImageRef[], template?: WikiContext['template']): WikiContext {
  const { server } = useLive('session');
  const { guides } = useLive('library', { category: null });
  return useMemo(
    () =>
      wikiContext(
        server ?? '',
        guides.map(({ guideid, title, type, public: isPublic }) => ({
          id: guideid,
          title,
          type,
          public: isPublic,
        })),
        new Map(images.map((image) => [image.id, image])),
        template,
      ),
    [server, guides, images, template],
  );
}
