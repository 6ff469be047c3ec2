import { Download, Printer, ScanSearch } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useLocation, useSearch } from 'wouter';

import type { TracedOrder, TraceKey } from '#desktop/engine/api/tracing.ts';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { isPartOf, numberKey } from '#shared/rules/tracing.ts';

import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { revisionHref } from '../work-orders/number-link.tsx';
import { traceCsv } from './trace-csv.ts';
import { TraceSearch } from './trace-search.tsx';
import styles from './trace.module.css';
import { TracedOrderCard } from './traced-order-card.tsx';
import { useTrace, type Trace } from './use-trace.ts';

/** Everything that happened to a unit, a part or a lot, or was worked by a revision of a guide. */
export function TraceScreen() {
  const key = keyAt(useSearch());
  if (key === null) return <Start />;
  return 'number' in key ? (
    <NumberTrace key={numberKey(key.number)} number={key.number} />
  ) : (
    <RevisionTrace key={`${key.guideid} ${key.revision}`} of={key} />
  );
}

/** What an address traces; null: nothing yet. */
function keyAt(search: string): TraceKey | null {
  const query = new URLSearchParams(search);
  const number = query.get('number')?.trim() ?? '';
  if (number !== '') return { number };
  const [guideid, revision] = [query.get('guide') ?? '', Number(query.get('revision'))];
  return guideid !== '' && Number.isInteger(revision) && revision > 0 ? { guideid, revision } : null;
}

function Start() {
  const isLead = useLiveSoon('board')?.isLead ?? true;
  return (
    <Page
      title={text.tracing.title}
      lead={isLead ? text.tracing.lead : text.tracing.leadOwn}
      over={<AllOrdersLink />}
    >
      <TraceSearch present="" />
    </Page>
  );
}

function NumberTrace({ number }: { number: string }) {
  const trace = useTrace({ number });
  const key = numberKey(number);
  // An order that is about the number and recorded it, too, is about it.
  const isPart = ({ record }: TracedOrder): boolean =>
    isPartOf(record, key) && !(record.serials ?? []).some((one) => numberKey(one) === key);
  const parts = trace.orders.filter(isPart);
  const about = trace.orders.filter((order) => !isPart(order));
  const isLoading = trace.from === 'loading';
  return (
    <Page
      title={number}
      over={<AllOrdersLink />}
      lead={
        isLoading || trace.total > trace.orders.length ? '' : text.tracing.summary(about.length, parts.length)
      }
      actions={<TraceActions trace={trace} name={number} />}
    >
      <TraceSearch present={number} />
      <Source trace={trace} />
      {!isLoading && trace.orders.length === 0 && (
        <EmptyState icon={<ScanSearch />} title={text.tracing.nothing(number)}>
          {text.tracing.nothingHint}
        </EmptyState>
      )}
      <Orders title={text.tracing.about} orders={about} number={key} isPart={false} />
      <Orders title={text.tracing.part} orders={parts} number={key} isPart />
      <More trace={trace} />
    </Page>
  );
}

function RevisionTrace({ of }: { of: Exclude<TraceKey, { number: string }> }) {
  const trace = useTrace(of);
  const [, navigate] = useLocation();
  const present = useLiveSoon('guide', of.guideid);
  const guide = present?.title ?? trace.orders[0]?.record.guide_title ?? '';
  const newest = Math.max(present?.revision?.counted?.number ?? 0, of.revision);
  const name = text.tracing.revision(of.revision);
  const isLoading = trace.from === 'loading';
  return (
    <Page
      title={name}
      over={<AllOrdersLink />}
      lead={<Link href={`/guides/${encodeURIComponent(of.guideid)}`}>{guide}</Link>}
      actions={<TraceActions trace={trace} name={`${guide} ${name}`} />}
    >
      <div className={classNames(styles, 'revisions')}>
        <SelectField
          label={text.revisions.title}
          choices={Array.from({ length: newest }, (_, index) => ({
            id: String(newest - index),
            name: text.tracing.revision(newest - index),
          }))}
          value={String(of.revision)}
          onChange={(number) => navigate(revisionHref(of.guideid, Number(number)))}
          placeholder=""
        />
      </div>
      <Source trace={trace} />
      {!isLoading && trace.orders.length === 0 && (
        <EmptyState icon={<ScanSearch />} title={text.tracing.nothingRevision}>
          {text.tracing.nothingRevisionHint}
        </EmptyState>
      )}
      <Orders title={text.tracing.ofRevision} orders={trace.orders} number={null} isPart={false} />
      <More trace={trace} />
    </Page>
  );
}

interface OrdersProps {
  title: string;
  orders: readonly TracedOrder[];
  number: string | null;
  isPart: boolean;
}

function Orders({ title, orders, number, isPart }: OrdersProps) {
  if (orders.length === 0) return null;
  return (
    <Section title={title} count={orders.length}>
      <ul className={classNames(styles, 'orders')}>
        {orders.map((order) => (
          <TracedOrderCard key={order.entryid} order={order} number={number} isPart={isPart} />
        ))}
      </ul>
    </Section>
  );
}

/** Says what was asked: nothing more if it was the server. */
function Source({ trace: { from, failure, reload } }: { trace: Trace }) {
  if (from === 'loading') return <Loading label={text.tracing.loading} />;
  if (from === 'server') return null;
  return failure === null ? (
    <Notice tone="warn" title={text.tracing.offline}>
      {text.tracing.onlyHere}
    </Notice>
  ) : (
    <Notice
      tone="warn"
      title={text.tracing.failed}
      action={<Button onPress={reload}>{text.tracing.again}</Button>}
    >
      {`${failure}. ${text.tracing.onlyHere}`}
    </Notice>
  );
}

function TraceActions({ trace: { orders, total }, name }: { trace: Trace; name: string }) {
  const { act } = useAsyncAction();
  if (orders.length === 0) return null;
  const filename = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`;
  return (
    <>
      <Button icon={<Printer aria-hidden="true" />} onPress={() => window.print()}>
        {text.workOrders.print}
      </Button>
      <Button
        icon={<Download aria-hidden="true" />}
        onPress={() => act(() => saveFile({ filename, csv: traceCsv(orders) }))}
      >
        {orders.length < total ? text.tracing.exportShown(orders.length, total) : text.tracing.exportCsv}
      </Button>
    </>
  );
}

/** How many orders are shown, if there are more. */
function More({ trace: { orders, total, showMore, isBusy } }: { trace: Trace }) {
  if (orders.length >= total) return null;
  return (
    <div className={classNames(styles, 'shown')}>
      <p>{text.tracing.more(orders.length, total)}</p>
      <Button onPress={showMore} isPending={isBusy}>
        {text.tracing.showMore}
      </Button>
    </div>
  );
}
