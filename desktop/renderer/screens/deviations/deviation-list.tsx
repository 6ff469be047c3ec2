import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';

import { FollowUp, FollowUpButton } from '../planned/follow-up.tsx';
import { DecideButton } from './decide-dialog.tsx';
import { DeviationFacts, DeviationState } from './deviation-facts.tsx';

interface DeviationListProps {
  title: string;
  deviations: readonly DeviationView[];
  /** Whether each row names its work order. */
  namesOrder: boolean;
}

/** Deviations with their state and the next action; renders nothing if there are none. */
export function DeviationList({ title, deviations, namesOrder }: DeviationListProps) {
  if (deviations.length === 0) return null;
  return (
    <Section title={title} count={deviations.length}>
      <RowList>
        {deviations.map((deviation) => (
          <ListRow
            key={deviation.deviationid}
            end={
              <>
                <DeviationState deviation={deviation} />
                <DecideButton deviation={deviation} />
                <FollowUpButton deviation={deviation} />
              </>
            }
          >
            {namesOrder ? (
              <>
                <RowTitle as="heading" href={`/work-orders/${encodeURIComponent(deviation.entryid)}`}>
                  {deviation.title}
                </RowTitle>
                <p>
                  {[deviation.workorderid, deviation.guideTitle].filter((part) => part !== '').join(' · ')}
                </p>
              </>
            ) : (
              <RowTitle as="heading">{deviation.title}</RowTitle>
            )}
            <DeviationFacts deviation={deviation} />
            <FollowUp deviationid={deviation.deviationid} />
          </ListRow>
        ))}
      </RowList>
    </Section>
  );
}
