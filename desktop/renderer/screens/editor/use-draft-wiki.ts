import { useMemo } from 'react';

import type { ImageRef } from '#shared/model/image.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { useEditor } from './use-editor.ts';
import { useWikiContext } from './use-wiki-context.ts';

/** What the texts of this draft may name: guides on this device and its own pictures. */
export function useDraftWiki(): WikiContext {
  const { content } = useEditor().draft;
  const images = useMemo(() => imagesOf(content), [content]);
  return useWikiContext(images);
}

function imagesOf({ image, steps }: GuideContent): ImageRef[] {
  const ofSteps = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return image === null ? ofSteps : [image, ...ofSteps];
}
