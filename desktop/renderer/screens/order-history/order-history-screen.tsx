import { Download, History, ListFilter, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useSearch } from 'wouter';

import { historyPageSize, type FoundOrder, type FoundOrders } from '#desktop/engine/api/order-history.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
import { orderHistoryText } from '#desktop/renderer/text/en/order-history.ts';
import { formatDate, formatEstimate, formatNumber } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { StateBadge } from '../work-orders/order-status.tsx';
import { historyCsv } from './history-csv.ts';
import { HistoryFilterForm } from './history-filter-form.tsx';
import { choices, historyHref, placeOf, queryOf, type HistorySelection } from './history-query.ts';
import styles from './order-history.module.css';

/** A page of the list, with the selection that it answers. */
interface Found extends HistorySelection {
  found: FoundOrders;
}

/** The work orders of others, with filters that the address keeps. */
export function OrderHistoryScreen() {
  const address = useSearch();
  const { filter } = placeOf(address);
  const isOffline = useLive('syncState').connection === 'offline';
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback((actions: Actions) => readPlace(actions, placeOf(address)), [address]);
  // A restored connection loads again.
  const { value, failure, reload } = useServerValue(read, isOffline);
  const list = useRef<HTMLDivElement>(null);
  const shownPage = useRef<number>(null);
  const page = value?.page ?? null;
  useEffect(() => {
    if (page === null) return;
    if (shownPage.current !== null && shownPage.current !== page) list.current?.scrollIntoView();
    shownPage.current = page;
  }, [page]);
  const chosen = choices(filter);
  return (
    <Page
      title={orderHistoryText.title}
      lead={orderHistoryText.lead}
      over={<AllOrdersLink />}
      actions={
        <>
          <span className={classNames(styles, 'toggle')}>
            <Button icon={<ListFilter aria-hidden="true" />} onPress={() => setIsOpen((now) => !now)}>
              {chosen > 0 ? orderHistoryText.filterOn(chosen) : orderHistoryText.filter}
            </Button>
          </span>
          {value !== null && value.found.total > 0 && <CsvButton {...value} />}
          {chosen > 0 && (
            <ButtonLink tone="quiet" icon={<X aria-hidden="true" />} href={historyHref({})}>
              {orderHistoryText.everything}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={classNames(styles, 'page')}>
        <div className={classNames(styles, 'filter', isOpen && 'open')}>
          <HistoryFilterForm filter={filter} />
        </div>
        {failure !== null && (
          <Notice
            tone="warn"
            title={orderHistoryText.failed}
            action={<Button onPress={reload}>{text.site.again}</Button>}
          >
            {failure}
          </Notice>
        )}
        {value === null && failure === null && <Loading label={orderHistoryText.loading} />}
        {value !== null && <Rows value={value} list={list} />}
      </div>
    </Page>
  );
}

async function readPlace(actions: Actions, place: HistorySelection): Promise<Found> {
  return { ...place, found: await actions.findOrders(queryOf(place.filter), place.page) };
}

/** Saves all orders that match as CSV, not only this page. */
function CsvButton({ filter, found }: Found) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const save = () =>
    act(async () => {
      const { orders } = await actions.findAllOrders(queryOf(filter));
      await saveFile({ filename: orderHistoryText.filename, csv: historyCsv(orders) });
    });
  return (
    <Button icon={<Download aria-hidden="true" />} onPress={save} isPending={busy}>
      {orderHistoryText.save(found.total, formatNumber(found.total))}
    </Button>
  );
}

interface RowsProps {
  value: Found;
  list: RefObject<HTMLDivElement | null>;
}

function Rows({ value, list }: RowsProps) {
  const { found, filter, page } = value;
  const isFiltered = choices(filter) > 0 || page > 0;
  return (
    <>
      {found.source === 'device' && (
        <Notice tone="info" title={orderHistoryText.onDevice}>
          {orderHistoryText.onDeviceHint}
        </Notice>
      )}
      {found.orders.length === 0 ? (
        <EmptyState
          icon={<History />}
          title={isFiltered ? orderHistoryText.noneFound : orderHistoryText.nothing}
          {...(isFiltered && {
            action: <ButtonLink href={historyHref({})}>{orderHistoryText.everything}</ButtonLink>,
          })}
        >
          {isFiltered ? orderHistoryText.noneFoundHint : orderHistoryText.nothingHint}
        </EmptyState>
      ) : (
        <div ref={list} className={classNames(styles, 'list')}>
          <RowList>
            {found.orders.map((order) => (
              <OrderRow key={order.entryid} order={order} />
            ))}
          </RowList>
        </div>
      )}
      <Pages {...value} />
    </>
  );
}

/** An order: number, guide, who and when, and its state. */
function OrderRow({ order }: { order: FoundOrder }) {
  const worked = formatEstimate(order.activeMs / 1000);
  const facts = [
    order.mine ? text.workOrders.youAlone : order.username,
    orderHistoryText.started(formatDate(order.startedAt)),
    ...(worked === '' ? [] : [orderHistoryText.worked(worked)]),
  ];
  const isFinished = order.status === 'complete';
  return (
    <ListRow
      end={
        <span className={classNames(styles, 'marks')}>
          {order.deviates && !isFinished && <Badge tone="warn">{text.board.deviates}</Badge>}
          <StateBadge status={order.status} deviates={order.deviates && isFinished} />
        </span>
      }
    >
      <RowTitle href={`/work-orders/${encodeURIComponent(order.entryid)}`}>{order.workorderid}</RowTitle>
      <p>{order.guideTitle === '' ? text.planned.missingGuide : order.guideTitle}</p>
      <Note>{facts.join(' · ')}</Note>
    </ListRow>
  );
}

function Pages({ found, filter, page }: Found) {
  if (found.orders.length === 0) return null;
  const first = page * historyPageSize + 1;
  const last = first + found.orders.length - 1;
  return (
    <nav className={classNames(styles, 'pages')} aria-label={orderHistoryText.pages}>
      <Note>
        {orderHistoryText.range(formatNumber(first), formatNumber(last), formatNumber(found.total))}
      </Note>
      {page > 0 && <ButtonLink href={historyHref(filter, page - 1)}>{auditText.newer}</ButtonLink>}
      {last < found.total && <ButtonLink href={historyHref(filter, page + 1)}>{auditText.older}</ButtonLink>}
    </nav>
  );
}
