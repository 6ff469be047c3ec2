import { distinctUntilChanged, map, type Observable, Subscription } from 'rxjs';

import type { UserSession } from './user-session.ts';
import type { Journal } from '../journal/journal.ts';
import type { Interference, Session, SyncState } from '../api/sync-records.ts';
import type { OutboxCall } from '../platform/ports.ts';
import type { LogEvent, SupportLog } from '../journal/support-log.ts';

/** Logs the start of the app, and damage that was found then. */
export function logStart(log: SupportLog, journal: Journal): void {
  const { durability, writable, problem = null, lowSpace, damage, missing } = journal.health();
  log.note({ home: null, what: 'start', facts: { durability, writable, problem, lowSpace } });
  for (const { segment, from, to, isTorn, appends } of damage)
    log.note({ home: null, what: 'damage', facts: { segment, from, to, isTorn, appends } });
  if (missing.length > 0)
    log.note({ home: null, what: 'records-missing', facts: { records: missing.length } });
}

/** Logs sign-ins, sign-outs and sessions that ended. */
export function logSessions(log: SupportLog, sessions: Observable<Session>): Subscription {
  return sessions
    .pipe(
      map(({ status, server, user, home }) => ({ status, server, home, userid: user?.userid ?? null })),
      distinctUntilChanged((a, b) => a.status === b.status && a.home === b.home && a.server === b.server),
    )
    .subscribe(({ status, server, home, userid }) => {
      if (status !== 'restoring') log.note({ home, what: status, facts: { server, userid } });
    });
}

/** Logs refused calls of a person, and changes of the connection to the server. */
export function logSession(log: SupportLog, userSession: UserSession): Subscription {
  const { home } = userSession.home;
  const note = (what: string, facts: Record<string, string | number | boolean | null>): void =>
    log.note({ home, what, facts });
  const logged = new Set<string>();
  const subscription = userSession.outbox.calls.subscribe(() => {
    for (const state of ['parked', 'conflict'] as const)
      for (const call of userSession.outbox.index.inState(state)) {
        const mark = `${call.id} ${state} ${call.tries}`;
        if (logged.has(mark)) continue;
        logged.add(mark);
        note(state === 'parked' ? 'refused' : 'decision', factsOf(call));
      }
  });
  let before: SyncState | null = null;
  subscription.add(
    userSession.sync.subscribe((state) => {
      for (const [what, facts] of changesOf(before, state)) note(what, facts);
      before = state;
    }),
  );
  return subscription;
}

type Facts = LogEvent['facts'];

/** The kind of an error, without its text, which may contain words of people. */
export function errorFacts(error: unknown): Facts {
  return { name: error instanceof Error || error instanceof DOMException ? error.name : null };
}

/** Ids and codes of a call, without its words and titles in its path. */
export function factsOf(call: OutboxCall): Facts {
  const { id, kind, target, state, tries, refusal } = call;
  return {
    key: id,
    kind,
    record: `${target.collection}/${target.id}`,
    state,
    tries,
    ...(refusal === null ? {} : { status: refusal.status, code: refusal.code ?? null }),
  };
}

function changesOf(before: SyncState | null, now: SyncState): [string, Facts][] {
  const changes: [string, Facts][] = [];
  const { pending, parked, conflicts } = now;
  if (before?.connection !== now.connection) changes.push([now.connection, { pending, parked, conflicts }]);
  if (now.interference !== null && before?.interference?.at !== now.interference.at)
    changes.push(['answered-in-between', interferenceFacts(now.interference)]);
  if (before !== null && before.interference !== null && now.interference === null)
    changes.push(['way-free', { pending }]);
  if (now.tooOld !== null && before?.tooOld !== now.tooOld) changes.push(['too-old', { side: now.tooOld }]);
  if (now.waitUntil !== null && before?.waitUntil !== now.waitUntil)
    changes.push(['asked-to-wait', { until: new Date(now.waitUntil).toISOString() }]);
  if (now.trouble !== null && before?.trouble !== now.trouble)
    // The rest of the technical text may contain words of people.
    changes.push(['trouble', { name: /^\w+/.exec(now.troubleDetail ?? '')?.[0] ?? null }]);
  return changes;
}

/** Quotes a foreign answer only if it is a page: anything else may be a part of the server's answer, with words of people. */
function interferenceFacts({ status, contentType, excerpt, path }: Interference): Facts {
  const isPage = /^text\/(html|plain)\b/i.test(contentType);
  const shortPath = path.split('/').slice(0, 4).join('/');
  return { status, contentType, path: shortPath, said: isPage ? excerpt.slice(0, 200) : null };
}
