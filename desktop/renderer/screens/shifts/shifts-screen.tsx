import { ClipboardList } from 'lucide-react';

import type { ShiftSummaryRow } from '#desktop/engine/api/shift-records.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';

import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { MakeSummaryButton } from './make-button.tsx';
import { spanWords } from './shift-form.ts';
import styles from './shifts.module.css';

/** The shift summaries that this person reads, latest first. */
export function ShiftsScreen() {
  const all = useLive('shiftSummaries');
  const isLead = useLive('shiftTeams').length > 0;
  return (
    <Page
      title={shiftWords.title}
      lead={shiftWords.lead}
      over={<AllOrdersLink />}
      actions={<MakeSummaryButton />}
    >
      {all.length === 0 ? (
        <EmptyState icon={<ClipboardList />} title={shiftWords.none}>
          {isLead ? shiftWords.noneHintLead : shiftWords.noneHint}
        </EmptyState>
      ) : (
        <RowList>
          {all.map((row) => (
            <Row key={row.shift_summaryid} row={row} />
          ))}
        </RowList>
      )}
    </Page>
  );
}

function Row({
  row: { shift_summaryid, teamName, from, to, madeBy, note, computed },
}: {
  row: ShiftSummaryRow;
}) {
  return (
    <ListRow
      icon={<ClipboardList />}
      end={computed === null && <Badge tone="warn">{shiftWords.waiting}</Badge>}
    >
      <RowTitle href={`/shifts/${encodeURIComponent(shift_summaryid)}`}>
        {`${teamName} · ${spanWords({ from, to })}`}
      </RowTitle>
      <Note>{`${shiftWords.madeBy} ${madeBy}`}</Note>
      {note !== '' && <p className={classNames(styles, 'note')}>{note}</p>}
    </ListRow>
  );
}
