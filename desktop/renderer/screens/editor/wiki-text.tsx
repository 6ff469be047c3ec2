import { useMemo } from 'react';

import { placeId, type GuideContent } from '#shared/rules/guide-content.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { placeAttribute } from './problems.ts';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped } from './use-typed.ts';
import { WikiTextField } from './wiki-text-field.tsx';
import { useWikiContext } from './use-wiki-context.ts';

interface WikiTextProps {
  label: string;
  hint: string;
  field: 'introduction_raw' | 'conclusion_raw';
}

/** A text of the draft in wiki text. */
export function WikiText({ label, hint, field }: WikiTextProps) {
  const { draft } = useEditor();
  const wiki = useDraftWiki();
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
export function useDraftWiki(): WikiContext {
  const { content } = useEditor().draft;
  const images = useMemo(() => imagesOf(content), [content]);
  return useWikiContext(images);
}

function imagesOf({ image, steps }: GuideContent): ImageRef[] {
  const ofSteps = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return image === null ? ofSteps : [image, ...ofSteps];
}
