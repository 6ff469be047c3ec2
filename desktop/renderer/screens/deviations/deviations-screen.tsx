import { ShieldCheck } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { DeviationList } from './deviation-list.tsx';
import styles from './deviations.module.css';

/** The deviations that this person sees: those that wait for a decision, then the others. */
export function DeviationsScreen() {
  const all = useLive('deviations');
  const open = all.filter(({ decision }) => decision === null);
  return (
    <Page title={text.deviations.title} lead={text.deviations.lead} over={<AllOrdersLink />}>
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
