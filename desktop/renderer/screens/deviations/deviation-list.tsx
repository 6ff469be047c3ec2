import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { Shortened } from '#desktop/renderer/ui/shortened.tsx';

import { FollowUp, FollowUpButton } from '../planned/follow-up.tsx';
import { DecideButton } from './decide-dialog.tsx';
import { DeviationFacts, DeviationState } from './deviation-facts.tsx';

interface DeviationListProps {
  title: string;
  deviations: readonly DeviationView[];
  /** Whether each row names its work order. */
  namesOrder: boolean;
  /** How many are shown until the person asks for all. */
  most?: number;
}

/** Deviations with their state and the next action; renders nothing if there are none. */
export function DeviationList({
  title,
  deviations,
  namesOrder,
  most = deviations.length,
}: DeviationListProps) {
  if (deviations.length === 0) return null;
  return (
    <Section title={title} count={deviations.length}>
      <Shortened all={deviations} most={most}>
        {(shown) => (
          <RowList>
            {shown.map((deviation) => (
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
                      {[deviation.workorderid, deviation.guideTitle]
                        .filter((part) => part !== '')
                        .join(' · ')}
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
        )}
      </Shortened>
    </Section>
  );
}
