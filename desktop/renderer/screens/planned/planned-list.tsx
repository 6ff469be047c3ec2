import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';

import { PlannedRow } from './planned-row.tsx';

interface PlannedListProps {
  title: string;
  planned: readonly PlannedOrderView[];
}

/** Planned orders by due time; renders nothing if there are none. */
export function PlannedList({ title, planned }: PlannedListProps) {
  if (planned.length === 0) return null;
  return (
    <Section title={title} count={planned.length}>
      <RowList>
        {planned.map((one) => (
          <PlannedRow key={one.planned_orderid} planned={one} />
        ))}
      </RowList>
    </Section>
  );
}
