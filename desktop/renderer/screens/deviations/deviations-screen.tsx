import { ChevronLeft, ShieldCheck } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { DeviationList } from './deviation-list.tsx';
import styles from './deviations.module.css';

/** The deviations that this person sees: those that wait for a decision, then the others. */
export function DeviationsScreen() {
  const all = useLive('deviations');
  const open = all.filter(({ decision }) => decision === null);
  return (
    <Page
      title={text.deviations.title}
      lead={text.deviations.lead}
      over={
        <div className={classNames(styles, 'over')}>
          <ButtonLink tone="quiet" href="/work-orders" icon={<ChevronLeft aria-hidden="true" />}>
            {text.workOrders.all}
          </ButtonLink>
        </div>
      }
    >
      {all.length === 0 ? (
        <EmptyState icon={<ShieldCheck />} title={text.deviations.none}>
          {text.deviations.noneHint}
        </EmptyState>
      ) : (
        <div className={classNames(styles, 'page')}>
          <DeviationList
            title={text.deviations.toDecide}
            deviations={open.filter(({ decides }) => decides)}
            namesOrder
          />
          <DeviationList
            title={text.deviations.open}
            deviations={open.filter(({ decides }) => !decides)}
            namesOrder
          />
          <DeviationList
            title={text.deviations.decided}
            deviations={all.filter(({ decision }) => decision !== null)}
            namesOrder
          />
        </div>
      )}
    </Page>
  );
}
