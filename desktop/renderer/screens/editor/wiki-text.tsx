import { useMemo } from 'react';

import { pathId, type GuideContent } from '#shared/rules/guide-content.ts';
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

/** A wiki text of the draft. */
export function WikiText({ label, hint, field }: WikiTextProps) {
  const { draft } = useEditor();
  const wiki = useDraftWiki();
  const typed = useTyped({
    stored: draft.content[field],
    toEdit: (value) => ({ op: 'setText', field, value }),
  });
  const problem = useProblem({ field });
  return (
    <div {...{ [placeAttribute]: pathId({ field }) }}>
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

/** Context for previews of this draft: guides of this device and pictures of the draft. */
export function useDraftWiki(): WikiContext {
  const { content } = useEditor().draft;
  const images = useMemo(() => imagesOf(content), [content]);
  return useWikiContext(images);
}

function imagesOf({ image, steps }: GuideContent): ImageRef[] {
  const ofSteps = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return image === null ? ofSteps : [image, ...ofSteps];
}
