import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

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

/** How many are shown above other content. */
const shown = 5;

/** What this person, or a team of this person, is to start next; renders nothing if nothing is planned. */
export function PlannedForYou() {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const mine = planned.filter(({ mine: isMine, status }) => isMine && status === 'open');
  return <PlannedList title={text.planned.forYou} planned={mine.slice(0, shown)} />;
}
