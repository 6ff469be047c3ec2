import { mayDecide, maySee, maySeeOrder } from '../rights.ts';
import type { ShownDeviation, ShownOrder } from '../wire.ts';
import {
  docs,
  type DeviationDoc,
  type GuideDoc,
  type OrderDoc,
  type Scene,
  type Violation,
} from './scene.ts';

type Stored<T> = T & { docid: string };

/** A station reads what was recorded at it until 30 days after the end (STATION-10). */
const fadesAfter = 29 * 24 * 60 * 60_000;

/** FLEET-4: a device at which nothing waits shows the orders and deviations that its person may see. */
export function orderViews({ stored, seen, old, now }: Scene): Violation[] {
  const found: Violation[] = [];
  const guides = docs<GuideDoc>(stored, 'guides');
  const orders = docs<OrderDoc>(stored, 'workLog');
  const deviations = docs<DeviationDoc>(stored, 'deviations');
  const guideOf = ({ guideid }: OrderDoc): GuideDoc | undefined =>
    guides.find((guide) => guide.guideid === guideid);
  for (const [index, one] of seen.entries()) {
    const { person } = one;
    // The app of protocol 5 knows neither deviations nor notes for the next person.
    if (index === old || person === null || one.status !== 'signed-in' || one.kept.length > 0) continue;
    const me = one.station?.present ?? person;
    const userid = stored.users.find(({ username }) => username === me)?.userid;
    const compare = (what: string, shown: string[], wanted: string[]): void => {
      const missing = wanted.filter((text) => !shown.includes(text));
      const more = shown.filter((text) => !wanted.includes(text));
      if (missing.length > 0 || more.length > 0 || shown.length !== wanted.length)
        found.push({
          rule: 'FLEET-4',
          what: `device ${index} of ${person} shows ${what}\n  ${more.join('\n  ')}\n  and the server has\n  ${missing.join('\n  ')}`,
        });
    };
    // A station has old orders until they are withdrawn from it some day.
    const isFading = (order: OrderDoc): boolean =>
      one.station !== undefined && isOver(order, now - fadesAfter);
    const isShownAt = (order: OrderDoc): boolean => maySeeOrder(stored, person, order, guideOf(order));
    const fading = new Set(orders.filter(isFading).map(({ docid }) => docid));
    const own = orders.filter((order) => {
      const { holder, status } = stateOf(order);
      const guide = guideOf(order);
      const isOffered = status === 'suspended' && guide !== undefined && maySee(stored, person, guide);
      const isMine = holder === userid && (one.station === undefined || isShownAt(order));
      return isMine || isOffered;
    });
    const shownOrders = one.orders.filter(({ entryid }) => !fading.has(entryid));
    const ownOrders = own.filter(({ docid }) => !fading.has(docid));
    compare('orders', shownOrders.map(shownOrder), ownOrders.map(storedOrder));
    const visible = deviations.flatMap((deviation) => {
      const order = orders.find(({ docid }) => docid === String(deviation.entryid));
      return order !== undefined && !fading.has(order.docid) && isShownAt(order)
        ? [storedDeviation(deviation, order, mayDecide(stored, person, order))]
        : [];
    });
    const shown = Object.entries(one.deviations).filter(([, { entryid }]) => !fading.has(entryid));
    compare('deviations', shown.map(shownDeviation), visible);
  }
  return found;
}

/** Who holds an order, and how far it is. The server stores no event that its state does not allow. */
function stateOf({ events }: OrderDoc): { holder: number | undefined; status: string } {
  const statuses: Record<string, string> = {
    start: 'started',
    pause: 'paused',
    resume: 'started',
    suspend: 'suspended',
    assume: 'started',
    finish: 'complete',
    cancel: 'cancelled',
  };
  const holder = events.findLast(({ type }) => type === 'start' || type === 'assume')?.userid;
  const last = events.findLast(({ type }) => statuses[type] !== undefined)?.type ?? '';
  return { holder, status: statuses[last] ?? '' };
}

/** Whether an order ended before a time, ms since 1970. */
function isOver({ events }: OrderDoc, before: number): boolean {
  return events.some(({ type, at }) => (type === 'finish' || type === 'cancel') && at < before);
}

function storedOrder(order: Stored<OrderDoc>): string {
  const { events, docid, workorderid } = order;
  const values = new Map(
    events.flatMap(({ data = [] }) => data).map(({ field_revisionid, value }) => [field_revisionid, value]),
  );
  const facts = [workorderid, docid, stateOf(order).status, [...values.values()].toSorted()];
  const note = events.findLast(({ type }) => type === 'suspend')?.note ?? null;
  const gaps = events.flatMap((event) => event.gaps ?? []).map(({ reason }) => reason);
  return JSON.stringify([...facts, note, gaps]);
}

function shownOrder(shown: ShownOrder): string {
  const { order, entryid, status, values, handover, gaps } = shown;
  return JSON.stringify([order, entryid, status, values, handover, gaps]);
}

function storedDeviation(
  { docid, title, note, value, decisions, follow_up }: Stored<DeviationDoc>,
  { workorderid, docid: entryid }: Stored<OrderDoc>,
  decides: boolean,
): string {
  const told = decisions.map(({ disposition, reason }) => `${disposition} ${reason}`);
  const followUp = follow_up === undefined ? null : `${follow_up.workorderid} ${follow_up.status}`;
  const facts = [docid, workorderid, entryid, title, note, value?.value ?? null];
  return JSON.stringify([...facts, told, decides, followUp]);
}

function shownDeviation([id, shown]: [string, ShownDeviation]): string {
  const { order, entryid, title, note, value, decisions, decides, followUp } = shown;
  return JSON.stringify([id, order, entryid, title, note, value, decisions, decides, followUp]);
}
