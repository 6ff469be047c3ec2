import { combineLatest, firstValueFrom } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import { workLog } from '#shared/api/work-log.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';

import {
  historyPageSize,
  type FoundOrder,
  type FoundOrders,
  type OrderFilter,
  type OrderHistoryActions,
} from '../api/order-history.ts';
import type { ActionContext } from '../features/action-context.ts';
import { localEntries, orderViewMaker } from '../features/records/order-views.ts';
import { serverClient } from './server-client.ts';

/** Orders of one answer when all are read. */
const mostAtOnce = 200;

/**
 * - ORDER-LIST-2 The list is read from the server page by page. Without a connection it shows what this device carries, with
 *   the same filters, and says so. So it does for a server that ignores the filters, because it is older.
 */
export function orderHistoryActions(context: Pick<ActionContext, 'sources'>): OrderHistoryActions {
  const { core } = context.sources;
  const client = serverClient(core, { workLog });
  const onServer = async (filter: OrderFilter, limit: number, offset: number): Promise<FoundOrders> => {
    const { connection } = await firstValueFrom(core.sync.state);
    if (connection === 'offline') throw new Problem('unavailable', 'The server cannot be reached now');
    const { deviating = false, ...query } = filter;
    const page = await client.workLog.list({ query: { ...query, deviating, limit, offset, order: 'DESC' } });
    const around = await aroundOf(context);
    // Servers that do not count deviations ignore the filters, too.
    if (page.results.some(({ deviations }) => deviations === undefined))
      throw new Problem('unavailable', 'This server cannot filter work orders');
    const orders = page.results.map((entry) => ofServer(entry, around));
    return { orders, total: page.totalResults, source: 'server' };
  };
  const all = async (filter: OrderFilter): Promise<FoundOrders> => {
    const found: FoundOrder[] = [];
    for (;;) {
      const { orders, total } = await onServer(filter, mostAtOnce, found.length);
      found.push(...orders);
      if (orders.length === 0 || found.length >= total) return { orders: found, total, source: 'server' };
    }
  };
  const orLocal = (asked: Promise<FoundOrders>, filter: OrderFilter): Promise<FoundOrders> =>
    asked.catch((error: unknown) => {
      if (error instanceof Problem && error.kind === 'unavailable') return onDevice(context, filter);
      throw error;
    });
  return {
    async findOrders(filter, page) {
      const from = page * historyPageSize;
      const found = await orLocal(onServer(filter, historyPageSize, from), filter);
      if (found.source === 'server') return found;
      return { ...found, orders: found.orders.slice(from, from + historyPageSize) };
    },
    findAllOrders: (filter) => orLocal(all(filter), filter),
  };
}

/** An order of this device with what filters compare. `started`: UNIX seconds of the server. */
interface Compared extends FoundOrder {
  userid: number;
  started: number;
  teamids: readonly number[];
}

function fits(order: Compared, filter: OrderFilter): boolean {
  const { userid, teamid, guideid, status, deviating = false, from, until } = filter;
  return (
    (userid === undefined || order.userid === userid) &&
    (teamid === undefined || order.teamids.includes(teamid)) &&
    (guideid === undefined || order.guideid === String(guideid)) &&
    (status === undefined || order.status === status) &&
    (!deviating || order.deviates) &&
    (from === undefined || order.started >= from) &&
    (until === undefined || order.started < until)
  );
}

/** What is shown of an order besides its record. */
interface Around {
  me: number;
  /** Estimated server clock minus device clock, ms. */
  offset: number;
  names: ReadonlyMap<number, string>;
  titles: ReadonlyMap<string, string>;
}

async function aroundOf({ sources }: Pick<ActionContext, 'sources'>): Promise<Around> {
  const { core, me, names, rows } = sources;
  const [own, people, guides] = await firstValueFrom(combineLatest([me, names, rows]));
  return {
    me: own.userid,
    offset: core.clock.offset(),
    names: people,
    titles: new Map(guides.map(({ id, title }) => [id, title])),
  };
}

function ofServer(entry: WorkLogEntry, { me, offset, names, titles }: Around): FoundOrder {
  const { userid, workorderid, status, starttime, endtime, gaps = [], deviations = 0, release } = entry;
  const [entryid, guideid] = [String(entry.entryid), String(entry.guideid)];
  return {
    entryid,
    workorderid,
    guideid,
    guideTitle: titles.get(guideid) ?? '',
    username: names.get(userid) ?? '',
    mine: userid === me,
    status,
    startedAt: starttime * 1000 - offset,
    endedAt: endtime === null ? null : endtime * 1000 - offset,
    activeMs: entry.active_duration * 1000,
    deviates: entry.has_deviations === true || gaps.length > 0 || deviations > 0,
    revision: revisionIn(entry),
    release: release?.title ?? null,
  };
}

function revisionIn({ revisions = [] }: WorkLogEntry): WorkedRevision | null {
  const inForce = revisions.findLast(({ decision }) => decision !== 'keep');
  if (inForce === undefined) return null;
  const { guide_revisionid, form_revisionid, approval, unsaved } = inForce;
  const { revision_number: number, revision_date: date } = inForce;
  return {
    guide_revisionid,
    form_revisionid,
    ...(number === undefined || date === undefined ? {} : { counted: { number, date } }),
    ...(approval === undefined ? {} : { approval }),
    ...(unsaved === undefined ? {} : { unsaved }),
  };
}

async function onDevice(
  { sources }: Pick<ActionContext, 'sources'>,
  filter: OrderFilter,
): Promise<FoundOrders> {
  const { core, calls: waiting } = sources;
  const { mirror, clock } = core;
  const [records, deviations, calls, view] = await firstValueFrom(
    combineLatest([mirror.all('workLog'), mirror.all('deviations'), waiting, orderViewMaker(sources)]),
  );
  const reported = new Set(deviations.map(({ facts }) => String(facts.entryid)));
  const orders = localEntries(records, calls, sources)
    .map((entry): Compared => {
      const order = view(entry);
      return {
        ...order,
        started: order.startedAt / 1000,
        startedAt: order.startedAt - clock.offset(),
        deviates: order.gaps.length > 0 || reported.has(order.entryid),
        teamids: entry.facts.teamids ?? [],
      };
    })
    .filter((order) => fits(order, filter))
    .toSorted((a, b) => numberOf(b) - numberOf(a));
  return { orders, total: orders.length, source: 'device' };
}

/** Orders that the server does not have yet are the latest. */
function numberOf({ entryid, startedAt }: FoundOrder): number {
  return entryid.startsWith('tmp:') ? Number.MAX_SAFE_INTEGER / 2 + startedAt : Number(entryid);
}
