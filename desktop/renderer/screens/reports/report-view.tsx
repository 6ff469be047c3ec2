import { ChartColumn, Download, Link2, ServerOff } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-aria-components';

import type { Actions } from '#desktop/engine/engine.ts';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { csvOf } from '#desktop/renderer/text/csv.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Shortened } from '#desktop/renderer/ui/shortened.tsx';
import { Table } from '#desktop/renderer/ui/table.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { Chart } from './chart.tsx';
import { isNothing, type Cell, type Nothing, type Presentation } from './presentation.ts';
import styles from './reports.module.css';

/** Rows of the table that are shown at first. */
const mostRows = 50;

/** What is shown, and the time that it covers, in words; '' without one. */
export interface ShownReport {
  shown: Presentation | Nothing;
  span: string;
}

interface ReportViewProps {
  /** Loads the report and says what is shown. It keeps its identity until the report changes. */
  read: (actions: Actions) => Promise<ShownReport>;
  /** Address without filters; null if there are none. */
  reset: string | null;
}

/**
 * A report of the server.
 *
 * - REPORT-14 A report says in words which days it covers. While another one is loaded, the earlier one is not shown.
 * - REPORT-13 Without the server a report says that it needs it, and comes by itself once the server is back. A report that was
 *   loaded stays, and says that it is not up to date.
 */
export function ReportView({ read, reset }: ReportViewProps) {
  const isOffline = useLive('syncState').connection === 'offline';
  const { value, failure, reload } = useServerValue(read, isOffline);
  const retry = <Button onPress={reload}>{reportText.again}</Button>;
  if (value === null && failure === null) return <Loading label={reportText.loading} />;
  if (value === null)
    return (
      <EmptyState
        icon={<ServerOff />}
        title={isOffline ? reportText.needsServer : reportText.failed}
        action={retry}
      >
        {isOffline ? reportText.needsServerHint : failure}
      </EmptyState>
    );
  const { shown, span } = value;
  return (
    <>
      {failure !== null && (
        <Notice tone="warn" title={reportText.stale} action={retry}>
          {isOffline ? reportText.staleHint : failure}
        </Notice>
      )}
      {span !== '' && <p className={classNames(styles, 'span')}>{span}</p>}
      {isNothing(shown) ? (
        <EmptyState
          icon={<ChartColumn />}
          title={shown.title}
          {...(reset !== null && { action: <ButtonLink href={reset}>{reportText.reset}</ButtonLink> })}
        >
          {shown.hint}
        </EmptyState>
      ) : (
        <Shown shown={shown} />
      )}
    </>
  );
}

function Shown({ shown }: { shown: Presentation }) {
  const { title, figures, summary, notes, chart, columns, rows } = shown;
  // The chart is drawn again only for another report.
  const shape = useMemo(() => chart, [chart]);
  return (
    <>
      <Card as="section" pad="roomy">
        <div className={classNames(styles, 'report')}>
          <div className={classNames(styles, 'head')}>
            <h2>{title}</h2>
            <div className={classNames(styles, 'actions')}>
              <CopyLink />
              <SaveCsv shown={shown} />
            </div>
          </div>
          <dl className={classNames(styles, 'figures')}>
            {figures.map(({ name, value, mark }) => (
              <div key={name} className={classNames(styles, 'figure', mark && 'marked')}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <p>{summary.join(' ')}</p>
          {shape !== null && <Chart title={title} summary={summary.join(' ')} shape={shape} />}
          {notes.length > 0 && <Note>{notes.join(' ')}</Note>}
        </div>
      </Card>
      <Shortened all={rows} most={mostRows}>
        {(some) => (
          <Table label={reportText.tableOf(title)} columns={columns}>
            {some.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, place) => (
                  <td
                    key={columns[place]}
                    className={classNames(styles, 'cell', place === 0 && 'first')}
                    data-column={columns[place]}
                  >
                    <CellWords cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        )}
      </Shortened>
    </>
  );
}

function CellWords({ cell }: { cell: Cell }) {
  if (typeof cell === 'string') return cell;
  const { words, href, mark } = cell;
  if (href !== undefined) return <Link href={href}>{words}</Link>;
  return mark === true ? <Badge tone="danger">{words}</Badge> : words;
}

function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      showToast(reportText.copied);
    } catch {
      // Pages of an insecure origin have no clipboard.
      showToast(reportText.notCopied, 'danger');
    }
  };
  return (
    <Button tone="quiet" icon={<Link2 aria-hidden="true" />} onPress={() => void copy()}>
      {reportText.copyLink}
    </Button>
  );
}

function SaveCsv({ shown: { filename, csv } }: { shown: Presentation }) {
  const { act, busy } = useAsyncAction();
  return (
    <Button
      icon={<Download aria-hidden="true" />}
      isPending={busy}
      onPress={() => act(() => saveFile({ filename, csv: csvOf(csv) }))}
    >
      {reportText.save}
    </Button>
  );
}
