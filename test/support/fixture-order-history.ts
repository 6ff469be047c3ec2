import {
  historyPageSize,
  type FoundOrder,
  type OrderHistoryActions,
} from '#desktop/engine/api/order-history.ts';
import { must } from '#shared/must.ts';

import { minute, revisionSeven } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

/** Orders of three people over two months, every fifth with deviations. */
function demoHistory(): FoundOrder[] {
  const people = ['Ana Ruiz', 'Ben Okafor', 'Mira Holm'] as const;
  const guides = [
    { guideid: '9001', guideTitle: 'Bench Grinder Drive Belt Replacement' },
    { guideid: '9002', guideTitle: 'Wheel dressing' },
  ] as const;
  const now = Date.now();
  return Array.from({ length: 120 }, (_, index): FoundOrder => {
    const startedAt = now - (index + 1) * 11 * 60 * minute;
    const isOpen = index < 2;
    const username = must(people[index % people.length], 'a person');
    return {
      entryid: String(501 + index),
      workorderid: `WO-${1200 - index}`,
      ...must(guides[index % guides.length], 'a guide'),
      username,
      mine: username === 'Ana Ruiz',
      status: isOpen ? 'started' : index % 17 === 4 ? 'cancelled' : 'complete',
      startedAt,
      endedAt: isOpen ? null : startedAt + 48 * minute,
      activeMs: (24 + (index % 30)) * minute,
      deviates: index % 5 === 3,
      revision: revisionSeven,
      release: index % 4 === 1 ? 'v2.0' : null,
    };
  });
}

/** The list of orders in the fixture's world; without a connection it has the first ten. */
export function orderHistoryActions(world: () => World): OrderHistoryActions {
  const find: OrderHistoryActions['findAllOrders'] = async ({
    userid,
    guideid,
    status,
    deviating,
    from,
    until,
  }) => {
    const isOffline = world().sync.connection === 'offline';
    const person = world().people.find((one) => one.userid === userid)?.name;
    const orders = demoHistory()
      .slice(0, isOffline ? 10 : undefined)
      .filter(
        (order) =>
          (userid === undefined || order.username === person) &&
          (guideid === undefined || order.guideid === String(guideid)) &&
          (status === undefined || order.status === status) &&
          (deviating !== true || order.deviates) &&
          order.startedAt >= (from ?? 0) * 1000 &&
          order.startedAt < (until ?? Infinity) * 1000,
      );
    return { orders, total: orders.length, source: isOffline ? 'device' : 'server' };
  };
  return {
    findAllOrders: find,
    async findOrders(filter, page) {
      const found = await find(filter);
      const start = page * historyPageSize;
      return { ...found, orders: found.orders.slice(start, start + historyPageSize) };
    },
  };
}
