import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { Shortened } from '#desktop/renderer/ui/shortened.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { PlannedRow } from './planned-row.tsx';

interface PlannedListProps {
  title: string;
  planned: readonly PlannedOrderView[];
  /** How many there are, if not all are given. */
  all?: number;
  /** How many are shown until the person asks for all. */
  most?: number;
}

/** Planned orders by due time; renders nothing if there are none. */
export function PlannedList({
  title,
  planned,
  all = planned.length,
  most = planned.length,
}: PlannedListProps) {
  if (planned.length === 0) return null;
  return (
    <Section title={title} count={all}>
      <Shortened all={planned} most={most}>
        {(shown) => (
          <RowList>
            {shown.map((one) => (
              <PlannedRow key={one.planned_orderid} planned={one} />
            ))}
          </RowList>
        )}
      </Shortened>
    </Section>
  );
}

/** How many are shown above other content. */
export const mostAbove = 5;

/** What this person, or a team of this person, is to start next; renders nothing if nothing is planned. */
export function PlannedForYou() {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const mine = planned.filter(({ mine: isMine, status }) => isMine && status === 'open');
  return <PlannedList title={text.planned.forYou} planned={mine} most={mostAbove} />;
}
