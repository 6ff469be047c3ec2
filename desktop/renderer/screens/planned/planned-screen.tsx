import { CalendarClock, FileUp, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { LazyPlanDialog } from './lazy-plan-dialog.tsx';
import { LeftPlans } from './left-plans.tsx';
import { PlannedList } from './planned-list.tsx';
import styles from './planned.module.css';

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }));

/** The planned orders that this person sees: their own, those of others, and what is over. */
export function PlannedScreen() {
  const all = useLive('plannedOrders');
  const { people, teams } = useLive('planningFor');
  const isPlanner = people.length + teams.length > 0;
  const [asks, setAsks] = useState<'plan' | 'import' | null>(null);
  return (
    <Page
      title={text.planned.title}
      lead={text.planned.lead}
      over={<AllOrdersLink />}
      actions={
        isPlanner && (
          <>
            <Button icon={<FileUp aria-hidden="true" />} onPress={() => setAsks('import')}>
              {text.planned.csv.open}
            </Button>
            <Button tone="primary" icon={<Plus aria-hidden="true" />} onPress={() => setAsks('plan')}>
              {text.planned.plan}
            </Button>
          </>
        )
      }
    >
      <LeftPlans open={asks} onOpen={setAsks} />
      {all.length === 0 ? (
        <EmptyState icon={<CalendarClock />} title={text.planned.none}>
          {isPlanner ? text.planned.noneHintPlanner : text.planned.noneHint}
        </EmptyState>
      ) : (
        <Lists all={all} />
      )}
      {asks === 'plan' && <LazyPlanDialog onClose={() => setAsks(null)} />}
      <Suspense fallback={null}>
        {asks === 'import' && <ImportDialog onClose={() => setAsks(null)} />}
      </Suspense>
    </Page>
  );
}

/** How many orders that are over are shown at first, and more at each request. */
const mostOver = 20;

function Lists({ all }: { all: readonly PlannedOrderView[] }) {
  const [shown, setShown] = useState(mostOver);
  const over = all.filter(({ status }) => status === 'done' || status === 'withdrawn').toReversed();
  const open = all.filter(({ status }) => status === 'open');
  return (
    <div className={classNames(styles, 'page')}>
      <PlannedList title={text.planned.forYou} planned={open.filter(({ mine }) => mine)} />
      <PlannedList title={text.planned.forOthers} planned={open.filter(({ mine }) => !mine)} />
      <PlannedList title={text.planned.started} planned={all.filter(({ status }) => status === 'started')} />
      <PlannedList title={text.planned.over} planned={over.slice(0, shown)} all={over.length} />
      {over.length > shown && (
        <div>
          <Button onPress={() => setShown((now) => now + mostOver)}>{text.planned.moreOver}</Button>
        </div>
      )}
    </div>
  );
}
