import { text } from '#desktop/renderer/text/en.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { PlannedList } from './planned-list.tsx';

/** How many are shown above other content. */
const shown = 5;

/** What this person, or a team of this person, is to start next; renders nothing if nothing is planned. */
export function PlannedForYou() {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const mine = planned.filter(({ mine: isMine, status }) => isMine && status === 'open');
  return <PlannedList title={text.planned.forYou} planned={mine.slice(0, shown)} />;
}
