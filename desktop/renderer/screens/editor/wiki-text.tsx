import { placeId } from '#shared/rules/guide-content.ts';

import { placeAttribute } from './problems.ts';
import { useDraftWiki } from './use-draft-wiki.ts';
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
