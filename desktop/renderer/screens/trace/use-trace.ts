import { useEffect, useState } from 'react';

import type { TracedOrder, TracedPage, TraceKey } from '#desktop/engine/api/tracing.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

/** What is known about a number or a revision. */
export interface Trace {
  /** Newest first. */
  orders: readonly TracedOrder[];
  /** Number of all orders that this person may see; as many as are shown if only the device was asked. */
  total: number;
  /** `device`: the server could not be asked, and `failure` says why; null: offline. */
  from: 'server' | 'device' | 'loading';
  failure: string | null;
  reload: () => void;
  showMore: () => void;
  isBusy: boolean;
}

/** What the server answered about a key. */
interface Answer {
  what: string;
  page?: TracedPage;
  failure?: string;
}

/** The orders of a key: from the server, with what waits on this device; without the server, from this device. */
export function useTrace(key: TraceKey): Trace {
  const actions = useActions();
  const isOffline = useLive('syncState').connection === 'offline';
  const here = useLiveSoon('tracedHere', key);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { act, busy } = useAsyncAction();
  // Serialized, because equal keys must be identical values.
  const what = JSON.stringify(key);
  // The server is asked again when it has an order that waited here.
  const known = (here ?? []).map(({ entryid, pending }) => `${entryid} ${pending}`).join();
  useEffect(() => {
    if (isOffline) return undefined;
    let isHere = true;
    actions.trace(JSON.parse(what) as TraceKey, 0).then(
      (page) => isHere && setAnswer((before) => ({ what, page: withRest(page, before, what) })),
      (error: unknown) => isHere && setAnswer({ what, failure: errorMessage(error) }),
    );
    return () => {
      isHere = false;
    };
  }, [actions, what, isOffline, round, known]);
  const own = answer?.what === what && !isOffline ? answer : null;
  const page = own?.page;
  const orders = page === undefined ? (here ?? []) : withWaiting(page.orders, here ?? []);
  const isAnswered = here !== undefined && (own !== null || isOffline);
  return {
    orders,
    total: page === undefined ? orders.length : Math.max(page.total, orders.length),
    from: isAnswered ? (page === undefined ? 'device' : 'server') : 'loading',
    failure: own?.failure ?? null,
    reload: () => {
      setAnswer(null);
      setRound((now) => now + 1);
    },
    showMore: () =>
      act(async () => {
        const shown = page?.orders ?? [];
        const { orders: next, total } = await actions.trace(key, shown.length);
        setAnswer({ what, page: { orders: joined(shown, next), total } });
      }),
    isBusy: busy,
  };
}

/** The first page, with the orders of the same key that were loaded after it before. */
function withRest(page: TracedPage, before: Answer | null, what: string): TracedPage {
  const rest = before?.what === what ? (before.page?.orders ?? []) : [];
  return rest.length > page.orders.length ? { ...page, orders: joined(page.orders, rest) } : page;
}

/** Both lists, each order once. */
function joined(first: readonly TracedOrder[], second: readonly TracedOrder[]): TracedOrder[] {
  const ids = new Set(first.map(({ entryid }) => entryid));
  return [...first, ...second.filter(({ entryid }) => !ids.has(entryid))];
}

/**
 * The orders of the server; those with work that waits on this device are as they are here. Orders of this device that are
 * newer than the answer are shown, too.
 */
function withWaiting(orders: readonly TracedOrder[], here: readonly TracedOrder[]): TracedOrder[] {
  const waiting = new Map(here.flatMap((one) => (one.pending ? [[one.entryid, one] as const] : [])));
  const newest = Math.max(0, ...orders.map(({ entryid }) => Number(entryid)));
  const newer = here.filter(({ entryid, pending }) => pending || Number(entryid) > newest);
  const merged = orders.map((one) => waiting.get(one.entryid) ?? one);
  const known = new Set(orders.map(({ entryid }) => entryid));
  return [...newer.filter(({ entryid }) => !known.has(entryid)), ...merged];
}
