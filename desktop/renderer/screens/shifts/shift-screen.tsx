import { ClipboardX, ChevronLeft, Download, FileText, Printer } from 'lucide-react';

import type { ShiftSummaryView } from '#desktop/engine/api/shift-records.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { saveFile, savePdf } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { spanWords } from './shift-form.ts';
import { Deviations, Orders, Planned, Times, Values } from './shift-parts.tsx';
import styles from './shifts.module.css';

/** A shift summary, as it is read and printed. */
export function ShiftScreen({ summaryid }: { summaryid: string }) {
  const summary = useLive('shiftSummary', decodeURIComponent(summaryid));
  if (summary === null)
    return (
      <EmptyPage
        title={shiftWords.missing}
        icon={<ClipboardX />}
        wayOut={{ href: '/shifts', words: shiftWords.open }}
      >
        {shiftWords.missingHint}
      </EmptyPage>
    );
  return <Summary summary={summary} />;
}

function Summary({ summary }: { summary: ShiftSummaryView }) {
  const { teamName, note, record } = summary;
  return (
    <Page
      title={shiftWords.of(teamName)}
      lead={spanWords(summary)}
      over={
        <div className={classNames(styles, 'over')}>
          <ButtonLink tone="quiet" href="/shifts" icon={<ChevronLeft aria-hidden="true" />}>
            {shiftWords.open}
          </ButtonLink>
        </div>
      }
      actions={record !== null && <SummaryActions summary={summary} />}
    >
      {record === null && (
        <Notice tone="warn" title={shiftWords.waiting}>
          {shiftWords.waitingHint}
        </Notice>
      )}
      <section className={classNames(styles, 'handover')}>
        <h2>{shiftWords.note}</h2>
        <p className={classNames(styles, 'note')}>{note === '' ? shiftWords.noNote : note}</p>
        <p className={classNames(styles, 'by')}>{`${shiftWords.madeBy} ${summary.madeBy}`}</p>
      </section>
      {record !== null && (
        <>
          <Orders summary={record.summary} />
          <Deviations summary={record.summary} />
          <Values summary={record.summary} />
          <Planned summary={record.summary} />
          <Times summary={record.summary} />
          <Seal summary={summary} />
        </>
      )}
    </Page>
  );
}

function Seal({ summary: { isSealed, record, computed } }: { summary: ShiftSummaryView }) {
  return (
    <section className={classNames(styles, 'part')}>
      <h2>{shiftWords.seal}</h2>
      {computed !== null && (
        <p>{`${shiftWords.computed} ${formatDate(computed)}. ${shiftWords.computedHint}`}</p>
      )}
      <div>
        <Badge tone={isSealed ? 'ok' : 'danger'}>{isSealed ? shiftWords.sealed : shiftWords.broken}</Badge>
      </div>
      <p>{isSealed ? shiftWords.sealedHint : shiftWords.brokenHint}</p>
      <code className={classNames(styles, 'hash')}>{record?.sha256}</code>
    </section>
  );
}

/** Prints the summary, or saves it as a file. The desktop app makes the PDF itself. */
function SummaryActions({ summary: { teamName, to, record } }: { summary: ShiftSummaryView }) {
  const { act } = useAsyncAction();
  const bridge = findBridge();
  const name = `${teamName}-${new Date(to).toISOString().slice(0, 16)}`.replaceAll(
    /[^\p{L}\p{N}._-]+/gu,
    '-',
  );
  return (
    <>
      <Button icon={<Printer aria-hidden="true" />} onPress={() => window.print()}>
        {bridge === undefined ? text.workOrders.printOrPdf : text.workOrders.print}
      </Button>
      {bridge !== undefined && (
        <Button
          icon={<FileText aria-hidden="true" />}
          onPress={() => act(() => savePdf(text.workOrders.savePdf, name))}
        >
          {text.workOrders.savePdf}
        </Button>
      )}
      <Button
        icon={<Download aria-hidden="true" />}
        onPress={() =>
          act(() => saveFile({ filename: `${name}.json`, json: JSON.stringify(record, null, 2) }))
        }
      >
        {text.workOrders.exportJson}
      </Button>
    </>
  );
}
