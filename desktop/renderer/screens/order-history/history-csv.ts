import type { FoundOrder } from '#desktop/engine/api/order-history.ts';
import { csvOf } from '#desktop/renderer/text/csv.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { orderHistoryText } from '#desktop/renderer/text/en/order-history.ts';

import { revisionWords } from '../work-orders/revision-words.ts';

/**
 * Work orders as CSV (RFC 4180), a row for each. Times are ISO 8601 in UTC, working time in seconds. New columns are added at
 * the end, because others read it by position.
 */
export function historyCsv(orders: readonly FoundOrder[]): string {
  const { csv } = orderHistoryText;
  const time = (at: number): string => new Date(at).toISOString();
  return csvOf([
    [
      csv.number,
      csv.guide,
      csv.person,
      csv.state,
      csv.started,
      csv.ended,
      csv.seconds,
      csv.deviations,
      csv.revision,
      csv.release,
    ],
    ...orders.map((order) => [
      order.workorderid,
      order.guideTitle,
      order.username,
      text.workOrders.states[order.status],
      time(order.startedAt),
      order.endedAt === null ? '' : time(order.endedAt),
      Math.round(order.activeMs / 1000),
      order.deviates ? text.workOrders.yes : text.workOrders.no,
      order.revision === null ? '' : revisionWords(order.revision),
      order.release ?? '',
    ]),
  ]);
}
