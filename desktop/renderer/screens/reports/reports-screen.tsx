import { ListFilter } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-aria-components';
import { useSearch } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { presentDeviations } from './present-deviations.ts';
import { presentDurations } from './present-durations.ts';
import { presentNumbers } from './present-numbers.ts';
import { presentYield } from './present-yield.ts';
import type { Nothing, Presentation } from './presentation.ts';
import { ReportFilter } from './report-filter.tsx';
import {
  faultOf,
  filtersOf,
  placeOf,
  reportHref,
  reportNames,
  spanWords,
  wishOf,
  type ReportPlace,
} from './report-place.ts';
import { ReportView, type ShownReport } from './report-view.tsx';
import styles from './reports.module.css';

/** Reports of finished work orders; the address says which one, with its filters. */
export function ReportsScreen() {
  const address = useSearch();
  const place = placeOf(address);
  const { isLead } = useLive('board');
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(
    (actions: Actions) => readReport(actions, placeOf(address), isLead),
    [address, isLead],
  );
  const filters = filtersOf(place);
  const unfiltered = reportHref({
    report: place.report,
    durationsBy: place.durationsBy,
    deviationsBy: place.deviationsBy,
    field: place.field,
  });
  return (
    <Page
      title={reportText.title}
      lead={isLead ? reportText.lead : reportText.leadOwn}
      over={<AllOrdersLink />}
      actions={
        <>
          <span className={classNames(styles, 'toggle')}>
            <Button icon={<ListFilter aria-hidden="true" />} onPress={() => setIsOpen((now) => !now)}>
              {filters > 0 ? reportText.filterOn(filters) : reportText.filter}
            </Button>
          </span>
          {filters > 0 && (
            <ButtonLink tone="quiet" href={unfiltered}>
              {reportText.reset}
            </ButtonLink>
          )}
        </>
      }
    >
      <nav className={classNames(styles, 'sections')} aria-label={reportText.sections}>
        {reportNames.map((report) => (
          <Link
            key={report}
            href={reportHref({ ...place, report })}
            className={classNames(styles, 'section', report === place.report && 'here')}
            {...(report === place.report && { 'aria-current': 'page' as const })}
          >
            {reportText.names[report]}
          </Link>
        ))}
      </nav>
      <div className={classNames(styles, 'filter', isOpen && 'open')}>
        <ReportFilter place={place} isLead={isLead} />
      </div>
      <ReportView key={place.report} read={read} reset={filters > 0 ? unfiltered : null} />
    </Page>
  );
}

async function readReport(actions: Actions, place: ReportPlace, isLead: boolean): Promise<ShownReport> {
  const now = Date.now();
  const fault = faultOf(place, now);
  if (fault !== null) return { shown: { title: reportText.chooseDays, hint: fault.words }, span: '' };
  return { shown: await readRows(actions, place, isLead, now), span: spanWords(place, now) };
}

async function readRows(
  actions: Actions,
  place: ReportPlace,
  isLead: boolean,
  now: number,
): Promise<Presentation | Nothing> {
  const wish = wishOf(place, now);
  const nothing: Nothing = {
    title: reportText.nothing,
    hint: isLead ? reportText.nothingHint : reportText.nothingHintOwn,
  };
  switch (place.report) {
    case 'durations': {
      const { durationsBy: by, guideid } = place;
      const { chooseGuide: title, chooseGuideHint: hint } = reportText.durations;
      if (by === 'step' && guideid === undefined) return { title, hint };
      return presentDurations(await actions.reportDurations(wish, by), by, nothing);
    }
    case 'yield':
      return presentYield(await actions.reportYield(wish), nothing);
    case 'deviations':
      return presentDeviations(
        await actions.reportDeviations(wish, place.deviationsBy),
        place.deviationsBy,
        nothing,
      );
    case 'numbers': {
      const { none, noneHint, chooseHint } = reportText.numbers;
      if (place.field !== undefined)
        return presentNumbers(await actions.reportNumbers(wish, place.field), nothing);
      const { orders, rows } = await actions.numberFields(wish);
      if (orders === 0) return nothing;
      return rows.length === 0
        ? { title: none, hint: noneHint }
        : { title: reportText.chooseField, hint: chooseHint };
    }
  }
}
