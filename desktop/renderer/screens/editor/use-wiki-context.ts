import { useMemo } from 'react';

import { wikiContext } from '#desktop/engine/features/records/rendering.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

/**
 * What a text that is being written may name: the guides of this device, these pictures, and `template`, the wiki text
 * of a template by its name. The pictures and `template` keep their identity while they are the same.
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
