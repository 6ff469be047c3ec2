import type { orderRevisionActions, OrderRevisionView } from '#desktop/engine/areas/order-revisions.ts';

import { revisionSeven } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

/** Revision 8 of the guide of a running order of revision 7: another text of its first step, and a field that is required. */
export const changedRevision: Omit<OrderRevisionView, 'guide'> = {
  goneSteps: [],
  bound: revisionSeven,
  present: {
    ...revisionSeven,
    guide_revisionid: 412,
    counted: { number: 8, date: Date.UTC(2026, 10, 5) / 1000 },
    approval: 'unapproved',
  },
  release: null,
  isUndecided: true,
  difference: {
    parts: [],
    steps: [
      {
        number: 1,
        movedFrom: null,
        before: 'Lock the plug',
        after: 'Lock the plug and try the switch',
        lines: [],
        pictures: [],
        hasOtherMedia: false,
      },
    ],
    forms: [{ number: 4, before: 'Torque (Numeric Input)', after: 'Torque * (Numeric Input)' }],
  },
};

/** The engine's actions on revisions of orders, in the fixture's world. */
export function revisionActions(
  change: (make: (now: World) => Partial<World>) => void,
): ReturnType<typeof orderRevisionActions> {
  return {
    async decideRevision(entryid, decision) {
      change(({ orderRevision, orders }) => ({
        orders: orders.map((order) =>
          order.entryid === entryid && decision === 'switch' && orderRevision !== null
            ? { ...order, revision: orderRevision.view.present }
            : order,
        ),
        orderRevision:
          decision === 'switch' || orderRevision === null
            ? null
            : { ...orderRevision, view: { ...orderRevision.view, isUndecided: false } },
      }));
    },
  };
}
