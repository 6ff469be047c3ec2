import { text } from '#desktop/renderer/text/en.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import type { SupplyFacts } from '#shared/model/guide.ts';
import { pathId } from '#shared/rules/guide-content.ts';

import { placeAttribute } from './problems.ts';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped } from './use-typed.ts';
import type { GuideEditOperation } from '#desktop/engine/api/records.ts';

/** Maximum number of suggestions. */
const suggestionCount = 12;

interface SupplyNameProps {
  field: 'parts' | 'tools';
  index: number;
  supply: SupplyFacts;
  toEdit: (change: Partial<SupplyFacts>) => GuideEditOperation;
}

/** The name of a part or tool, with those of other guides as suggestions. */
export function SupplyName({ field, index, supply, toEdit }: SupplyNameProps) {
  const { edit, noteLeft } = useEditor();
  const typed = useTyped({ stored: supply.text, toEdit: (words) => toEdit({ text: words }) });
  const place = { list: field, element: String(index), field: 'text' };
  const problem = useProblem(place);
  const known = useLiveSoon('namedSupplies', field) ?? [];
  const wanted = typed.value.trim().toLowerCase();
  const found = known
    .map((one, at) => ({ ...one, id: String(at) }))
    .filter((one) => one.text.toLowerCase().includes(wanted) && one.text !== supply.text)
    .slice(0, suggestionCount);
  return (
    <div
      {...{ [placeAttribute]: pathId(place) }}
      onBlur={() => {
        typed.flush();
        noteLeft(pathId(place));
      }}
    >
      <ComboField
        label={text.editor.supplyName}
        allowsOther
        choices={found.map((one) => ({
          id: one.id,
          name: one.text,
          ...(one.type !== '' && { note: one.type }),
        }))}
        input={typed.value}
        onInput={typed.change}
        onChoose={(id) => {
          const chosen = found.find((one) => one.id === id);
          if (chosen === undefined) return;
          typed.flush();
          void edit(toEdit({ text: chosen.text, type: chosen.type, url: chosen.url }));
        }}
        emptyText=""
        openLabel={text.editor.openSupplies}
        {...(problem !== undefined && { error: problem })}
      />
    </div>
  );
}
