import type { Board } from '#desktop/engine/api/records.ts';

import type { World } from './fixture-world.ts';

/** The board of a lead: the world's orders, each of a guide with ten steps. */
export function boardOf({ orders }: Pick<World, 'orders'>): Board {
  return {
    isLead: true,
    orders: orders.map((order) => ({
      ...order,
      steps: 10,
      deviates: Object.values(order.values).some(({ broken }) => broken !== null),
    })),
  };
}
