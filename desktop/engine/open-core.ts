import {
  type BehaviorSubject,
  distinctUntilChanged,
  map,
  NEVER,
  type Observable,
  of,
  type Subscription,
  switchMap,
} from 'rxjs';

import { Problem } from '#shared/api/problem.ts';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { heldBy, HomeChanged } from './platform/held.ts';
import type { Home } from './account/home.ts';
import type { ArchiveFiles } from './journal/archive-files.ts';
import { storedFileOf } from './storage/archive-record.ts';
import { ArchiveRows } from './storage/archive-rows.ts';
import { ServerClock } from './platform/clock.ts';
import type { Core } from './account/core.ts';
import type { Desk } from './account/desk.ts';
import { logDesk, logSessions, logStart } from './account/log-work.ts';
import type { LeavingControl } from './account/leaving/home-leaving.ts';
import { scrub } from './account/leaving/scrub.ts';
import type { Platform } from './journal/platform.ts';
import type { Mirror, Outbox } from './platform/ports.ts';
import { CallIndex } from './outbox/calls.ts';
import { Seat } from './account/seat.ts';
import { Sessions } from './account/session.ts';
import { SupportLog } from './journal/support-log.ts';
import { noActivity, syncStateOf } from './account/sync-state.ts';
import type { SyncState } from './api/sync-records.ts';
import type { WorkOwner } from './account/work-control.ts';
import type { WorkControl } from './account/work-control.ts';

/** The engine without views and actions. */
export async function openCore(platform: Platform): Promise<{ core: Core; close: () => Promise<void> }> {
  const journal = await platform.openJournal();
  const sessions = new Sessions(platform, journal);
  const clock = new ServerClock(platform.environment);
  const log = new SupportLog(journal, platform.environment);
  logStart(log, journal);
  const openFiles = filesOf(platform);
  const archive = async (fileId: string): Promise<ByteSource | null> => {
    const { meta } = await journal.entries();
    const stored = storedFileOf(meta, fileId);
    const files = await openFiles();
    return stored === undefined || (await files.size(stored)) === undefined ? null : files.source(stored);
  };
  const seat = new Seat({ platform, journal, sessions, clock, log, archive });
  const { desks } = seat;
  const core: Core = {
    environment: platform.environment,
    clock,
    journal,
    media: platform.media,
    appKept: platform.appKept,
    archives: {
      openFiles,
      openRows: () => ArchiveRows.open(platform.storage, platform.multiInstance),
      lock: platform.lock,
    },
    insecure: platform.insecure,
    mirror: presentMirror(desks),
    outbox: presentOutbox(desks),
    drafts: presentDrafts(desks),
    leaving: presentLeaving(desks),
    work: presentWork(desks),
    log,
    session: {
      state: sessions.state,
      current: () => sessions.current(),
      signIn: (server, proof, apart) => seat.signIn(server, proof, apart),
      signOut: (library = 'keep') => seat.signOut(library),
      noteLossSeen: () => sessions.noteLossSeen(),
      missingNames: (home) => sessions.missingNames(home),
      forgetNames: (isGone) => sessions.forgetNames(isGone),
    },
    homes: {
      erased: () => seat.erasedHomes(),
      count: () => seat.countHomes(),
      read: (take) => seat.readHomes(take),
      finishRemoval: (home) => seat.finishRemoval(home),
      scrub: () => scrub({ platform, journal }),
    },
    sync: {
      state: presentSync(desks, sessions),
      now: () => desks.value?.now(),
      check: () => present(desks).check(),
      leads: follow(desks, of(false), ({ leads }) => leads),
    },
    request: async (path, init) => present(desks).response(path, init),
    held: () => holder(),
    mustHold: () => undefined,
    beforeLeaving: (finish) => (seat.beforeLeaving = finish),
    handleConflicts: (handler) => (seat.conflicts = handler),
  };
  const holder = holderOf(core, desks);
  const hearing = platform.tabs?.heard.subscribe((word) => {
    seat.heard(word).catch(() => undefined);
  });
  const logging = logSessions(log, sessions.state);
  let atDesk: Subscription | undefined;
  logging.add(
    desks.subscribe((desk) => {
      atDesk?.unsubscribe();
      atDesk = desk === null ? undefined : logDesk(log, desk);
    }),
  );
  await seat.restore();
  await log.prune().catch(() => undefined);
  return {
    core,
    close: async () => {
      hearing?.unsubscribe();
      logging.unsubscribe();
      atDesk?.unsubscribe();
      await seat.close();
      await log.flush();
      await journal.close();
    },
  };
}

/** Opens the archives' files once; opening them takes them from whoever had them before. */
function filesOf(platform: Platform): () => Promise<ArchiveFiles> {
  let files: Promise<ArchiveFiles> | null = null;
  return () => {
    files ??= platform.openArchiveFiles().catch((error: unknown) => {
      files = null;
      throw error;
    });
    return files;
  };
}

type Desks = BehaviorSubject<Desk | null>;

function present(desks: Desks): Desk {
  if (desks.value === null) throw new Problem('unauthorized', 'Sign in first');
  return desks.value;
}

/** Makes `Core.held`, one for each time that a home is open. */
function holderOf(core: Core, desks: Desks): () => Core {
  let last: { desk: Desk | null; held: Core } | null = null;
  return () => {
    const desk = desks.value;
    if (last?.desk === desk) return last.held;
    const mustHold = (): void => {
      if (desks.value !== desk) throw new HomeChanged();
    };
    const held: Core = {
      ...core,
      mirror: heldBy(core.mirror, mustHold),
      outbox: heldBy(core.outbox, mustHold),
      drafts: heldBy(core.drafts, mustHold),
      leaving: heldBy(core.leaving, mustHold),
      work: heldBy(core.work, mustHold),
      request: async (path, init) => {
        mustHold();
        return core.request(path, init);
      },
      held: () => held,
      mustHold,
    };
    last = { desk, held };
    return held;
  };
}

/** Follows the desk of whoever is signed in; `absent` while nobody is. */
function follow<T>(desks: Desks, absent: Observable<T>, read: (desk: Desk) => Observable<T>): Observable<T> {
  return desks.pipe(switchMap((desk) => (desk === null ? absent : read(desk))));
}

function presentMirror(desks: Desks): Mirror {
  return {
    one: (collection, id) => follow(desks, of(null), ({ mirror }) => mirror.one(collection, id)),
    get: async (collection, id) => (await desks.value?.mirror.get(collection, id)) ?? null,
    where: (collection, field, value) =>
      follow(desks, of([]), ({ mirror }) => mirror.where(collection, field, value)),
    all: (collection) => follow(desks, of([]), ({ mirror }) => mirror.all(collection)),
    guideRows: () => follow(desks, of([]), ({ mirror }) => mirror.guideRows()),
    arrived: follow(desks, NEVER, ({ mirror }) => mirror.arrived),
  };
}

function presentOutbox(desks: Desks): Outbox {
  return {
    add: async (calls) => present(desks).outbox.add(calls),
    change: async (id, change) => present(desks).outbox.change(id, change),
    remove: async (id) => present(desks).outbox.remove(id),
    strip: async (id, bare) => present(desks).outbox.strip(id, bare),
    get: (id) => desks.value?.outbox.get(id),
    present: () => desks.value?.outbox.present() ?? [],
    about: (collection, id) => desks.value?.outbox.about(collection, id) ?? [],
    realId: (temporary) => desks.value?.outbox.realId(temporary),
    calls: follow(desks, of([]), ({ outbox }) => outbox.calls),
    sent: follow(desks, of([]), ({ outbox }) => outbox.sent),
  };
}

function presentDrafts(desks: Desks): Core['drafts'] {
  return {
    own: () => present(desks).drafts,
    get: async (id) => present(desks).drafts.get(id),
    put: async (id, value) => present(desks).drafts.put(id, value),
    remove: async (id) => present(desks).drafts.remove(id),
    ids: follow(desks, of([]), ({ drafts }) => drafts.ids),
  };
}

function presentLeaving(desks: Desks): LeavingControl {
  return {
    whereabouts: async (collection, ids) => present(desks).leaving.whereabouts(collection, ids),
    history: async () => (await desks.value?.leaving.history()) ?? null,
    bodies: () => present(desks).leaving.bodies(),
    sentCalls: async () => present(desks).leaving.sentCalls(),
    rewriteSent: async (changes) => present(desks).leaving.rewriteSent(changes),
    kept: follow(desks, of([]), ({ leaving }) => leaving.kept),
    unreadable: follow(desks, of([]), ({ leaving }) => leaving.unreadable),
    keep: async (items) => present(desks).leaving.keep(items),
    rewrite: async (item) => present(desks).leaving.rewrite(item),
    release: async (ids) => present(desks).leaving.release(ids),
    rebuilt: follow(desks, NEVER, ({ leaving }) => leaving.rebuilt),
    mark: async () => present(desks).leaving.mark(),
    dropMedia: async (drop) => present(desks).leaving.dropMedia(drop),
    purge: async () => present(desks).leaving.purge(),
  };
}

function presentWork(desks: Desks): WorkControl {
  return {
    owner: () => (desks.value === null ? null : ownerOf(desks.value.home)),
    home: () => desks.value?.home.home ?? null,
    take: async (calls) => present(desks).outbox.take(calls),
    learnIds: async (created) => present(desks).outbox.learnIds(created),
  };
}

function ownerOf({ server, account, origin, userid, username }: Home): WorkOwner {
  return { server, account, origin, userid, username };
}

function presentSync(desks: Desks, sessions: Sessions): Observable<SyncState> {
  const signedOut = sessions.state.pipe(
    map((session) =>
      syncStateOf({ isOnline: true, activity: noActivity, calls: new CallIndex(), session, trouble: null }),
    ),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
  return follow(desks, signedOut, ({ sync }) => sync);
}
