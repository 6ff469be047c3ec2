import { useMemo } from 'react';

import { wikiContext } from '#desktop/engine/views/rendering.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { placeId } from '#shared/rules/guide-content.ts';
import type { WikiContext } from '#shared/wikitext/context.ts';

import { placeAttribute } from './problems.ts';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped } from './use-typed.ts';
import { WikiTextField } from './wiki-text-field.tsx';

interface WikiTextProps {
  label: string;
  hint: string;
  field: 'introduction_raw' | 'conclusion_raw';
}

/** A text of the draft in wiki text. */
export function WikiText({ label, hint, field }: WikiTextProps) {
  const { draft } = useEditor();
  const wiki = useWikiContext();
  const typed = useTyped({
    stored: draft.content[field],
    toEdit: (value) => ({ op: 'setText', field, value }),
  });
  const problem = useProblem({ field });
  return (
    <div {...{ [placeAttribute]: placeId({ field }) }}>
      <WikiTextField
        label={label}
        hint={hint}
        value={typed.value}
        onChange={typed.change}
        onLeave={typed.flush}
        error={problem}
        wiki={wiki}
      />
    </div>
  );
}

/** What the texts of this draft may name: guides on this device and its own pictures. */
export function useWikiContext(): WikiContext {
  const { draft } = useEditor();
  const { server } = useLive('session');
  const { guides } = useLive('library', { category: null });
  const { content } = draft;
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
        new Map(imagesOf(content).map((image) => [image.id, image])),
      ),
    [server, guides, content],
  );
}

function imagesOf({ image, steps }: GuideContent): ImageRef[] {
  const ofSteps = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return image === null ? ofSteps : [image, ...ofSteps];
}
