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
import { outboxOf } from './account/station/own-outbox.ts';
import { asPerson } from './account/station/as-person.ts';
import type { UserSession } from './account/user-session.ts';
import { logSession, logSessions, logStart } from './account/log-work.ts';
import type { LeavingControl } from './account/leaving/home-leaving.ts';
import { scrub } from './account/leaving/scrub.ts';
import { isEncrypted } from './account/leaving/mark.ts';
import { countedJournal } from './journal/counted-journal.ts';
import type { Journal } from './journal/journal.ts';
import type { Platform } from './journal/platform.ts';
import type { Mirror, Outbox } from './platform/ports.ts';
import { CallIndex } from './outbox/calls.ts';
import { AccountSwitcher } from './account/account-switcher.ts';
import { Sessions } from './account/session.ts';
import { SupportLog } from './journal/support-log.ts';
import { sealedSecrets } from './storage/sealed-storage.ts';
import { noActivity, syncStateOf } from './account/sync-state.ts';
import type { SyncState } from './api/sync-records.ts';
import type { WorkOwner, WorkControl } from './account/work-control.ts';

/** The engine without views and actions. */
export async function openCore(given: Platform): Promise<{ core: Core; close: () => Promise<void> }> {
  const { journal, saves } = countedJournal(await given.openJournal());
  const platform = withSealedSecrets(given, journal);
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
  const switcher = new AccountSwitcher({ platform, journal, saves, sessions, clock, log, archive });
  const { userSessions } = switcher;
  const core: Core = {
    environment: platform.environment,
    clock,
    journal,
    media: platform.media,
    space: platform.space,
    appKept: platform.appKept,
    archives: {
      openFiles,
      openRows: () => ArchiveRows.open(platform.storage, platform.multiInstance),
    },
    lock: platform.lock,
    tabs: platform.tabs,
    insecure: platform.insecure,
    diskWaits: platform.diskWaits ?? of(0),
    mirror: presentMirror(userSessions),
    outbox: presentOutbox(userSessions),
    drafts: presentDrafts(userSessions),
    leaving: presentLeaving(userSessions),
    work: presentWork(userSessions),
    log,
    session: {
      state: sessions.state,
      current: () => sessions.current(),
      signIn: (server, proof, apart) => switcher.signIn(server, proof, apart),
      signOut: (library = 'keep') => switcher.signOut(library),
      noteLossSeen: () => sessions.noteLossSeen(),
      missingNames: (home) => sessions.missingNames(home),
      forgetNames: (isGone) => sessions.forgetNames(isGone),
    },
    station: {
      state: follow(userSessions, of(null), ({ station }) => station?.state ?? of(null)),
      present: () => userSessions.value?.station ?? null,
      enrol: (server, code, apart) => switcher.enrol(server, code, apart),
      leave: (proof) => switcher.leaveStation(proof),
    },
    appVersion: platform.appVersion ?? '',
    homes: {
      erased: () => switcher.erasedHomes(),
      count: () => switcher.countHomes(),
      read: (take) => switcher.readHomes(take),
      readOthers: (take) => switcher.readOtherHomes(take),
      finishRemoval: (home) => switcher.finishRemoval(home),
      scrub: () => scrub({ platform, journal }),
    },
    sync: {
      state: presentSync(userSessions, sessions),
      now: () => userSessions.value?.now(),
      check: () => present(userSessions).check(),
      leads: follow(userSessions, of(false), ({ leads }) => leads),
      complete: follow(userSessions, of(false), ({ complete }) => complete),
    },
    request: async (path, init) => present(userSessions).response(path, init),
    held: () => holder(),
    mustHold: () => undefined,
    beforeLeaving: (finish) => (switcher.beforeLeaving = finish),
    handleConflicts: (handler) => (switcher.conflicts = handler),
  };
  const holder = holderOf(core, userSessions);
  const hearing = platform.tabs?.heard.subscribe((word) => {
    switcher.heard(word).catch(() => undefined);
  });
  const logging = logSessions(log, sessions.state);
  let sessionLog: Subscription | undefined;
  logging.add(
    userSessions.subscribe((userSession) => {
      sessionLog?.unsubscribe();
      sessionLog = userSession === null ? undefined : logSession(log, userSession);
    }),
  );
  await switcher.restore();
  await log.prune().catch(() => undefined);
  return {
    core,
    close: async () => {
      hearing?.unsubscribe();
      logging.unsubscribe();
      sessionLog?.unsubscribe();
      await switcher.close();
      await log.flush();
      await journal.close();
    },
  };
}

/** The platform, whose secrets are encrypted if there is a cipher. */
function withSealedSecrets(platform: Platform, journal: Journal): Platform {
  const { cipher, secrets } = platform;
  if (cipher === undefined) return platform;
  const mayBeClear = async (): Promise<boolean> => !isEncrypted((await journal.changes('meta', 0)).values);
  return { ...platform, secrets: sealedSecrets(secrets, cipher, mayBeClear) };
}

/** Opens the files of archives once. A second opening would take them away from the first. */
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

type UserSessions = BehaviorSubject<UserSession | null>;

function present(userSessions: UserSessions): UserSession {
  if (userSessions.value === null) throw new Problem('unauthorized', 'Sign in first');
  return userSessions.value;
}

/**
 * Makes `Core.held`: one core for each time that a home is open, and at a station for each person. What an action records
 * is that person's, even if the station is locked before it is finished (STATION-ENGINE-1).
 */
function holderOf(core: Core, userSessions: UserSessions): () => Core {
  let last: { userSession: UserSession | null; accountid: string | undefined; held: Core } | null = null;
  return () => {
    const userSession = userSessions.value;
    const person = userSession?.station?.now.person ?? null;
    const accountid = person?.accountid;
    if (last?.userSession === userSession && last.accountid === accountid) return last.held;
    const mustHold = (): void => {
      if (userSessions.value !== userSession) throw new HomeChanged();
    };
    const held: Core = {
      ...core,
      mirror: heldBy(core.mirror, mustHold),
      outbox: heldBy(outboxOf(core.outbox, userSession, person), mustHold),
      session: { ...core.session, current: () => asPerson(core.session.current(), person) },
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
    last = { userSession, accountid, held };
    return held;
  };
}

/** Follows a stream of the present user session; `absent` while nobody is signed in. */
function follow<T>(
  userSessions: UserSessions,
  absent: Observable<T>,
  read: (userSession: UserSession) => Observable<T>,
): Observable<T> {
  return userSessions.pipe(switchMap((userSession) => (userSession === null ? absent : read(userSession))));
}

function presentMirror(userSessions: UserSessions): Mirror {
  return {
    one: (collection, id) => follow(userSessions, of(null), ({ mirror }) => mirror.one(collection, id)),
    get: async (collection, id) => (await userSessions.value?.mirror.get(collection, id)) ?? null,
    where: (collection, field, value) =>
      follow(userSessions, of([]), ({ mirror }) => mirror.where(collection, field, value)),
    all: (collection) => follow(userSessions, of([]), ({ mirror }) => mirror.all(collection)),
    guideRows: () => follow(userSessions, of([]), ({ mirror }) => mirror.guideRows()),
    arrived: follow(userSessions, NEVER, ({ mirror }) => mirror.arrived),
  };
}

function presentOutbox(userSessions: UserSessions): Outbox {
  return {
    add: async (calls) => {
      const { outbox, station } = present(userSessions);
      return outbox.add(calls, station?.recorder(station.now.person));
    },
    change: async (id, change) => present(userSessions).outbox.change(id, change),
    remove: async (id) => present(userSessions).outbox.remove(id),
    removeKept: async (id) => present(userSessions).outbox.remove(id),
    strip: async (id, bare) => present(userSessions).outbox.strip(id, bare),
    get: (id) => userSessions.value?.outbox.get(id),
    present: () => userSessions.value?.outbox.present() ?? [],
    about: (collection, id) => userSessions.value?.outbox.about(collection, id) ?? [],
    realId: (temporary) => userSessions.value?.outbox.realId(temporary),
    calls: follow(userSessions, of([]), ({ outbox }) => outbox.calls),
    sent: follow(userSessions, of([]), ({ outbox }) => outbox.sent),
  };
}

function presentDrafts(userSessions: UserSessions): Core['drafts'] {
  return {
    own: () => present(userSessions).drafts,
    get: async (id) => present(userSessions).drafts.get(id),
    put: async (id, value) => present(userSessions).drafts.put(id, value),
    remove: async (id) => present(userSessions).drafts.remove(id),
    ids: follow(userSessions, of([]), ({ drafts }) => drafts.ids),
  };
}

function presentLeaving(userSessions: UserSessions): LeavingControl {
  return {
    whereabouts: async (collection, ids) => present(userSessions).leaving.whereabouts(collection, ids),
    history: async () => (await userSessions.value?.leaving.history()) ?? null,
    bodies: () => present(userSessions).leaving.bodies(),
    sentCalls: async () => present(userSessions).leaving.sentCalls(),
    rewriteSent: async (changes) => present(userSessions).leaving.rewriteSent(changes),
    kept: follow(userSessions, of([]), ({ leaving }) => leaving.kept),
    unreadable: follow(userSessions, of([]), ({ leaving }) => leaving.unreadable),
    keep: async (items) => present(userSessions).leaving.keep(items),
    rewrite: async (item) => present(userSessions).leaving.rewrite(item),
    release: async (ids) => present(userSessions).leaving.release(ids),
    rebuilt: follow(userSessions, NEVER, ({ leaving }) => leaving.rebuilt),
    mark: async () => present(userSessions).leaving.mark(),
    dropMedia: async (drop) => present(userSessions).leaving.dropMedia(drop),
    purge: async () => present(userSessions).leaving.purge(),
  };
}

function presentWork(userSessions: UserSessions): WorkControl {
  return {
    owner: () => (userSessions.value === null ? null : ownerOf(userSessions.value.home)),
    home: () => userSessions.value?.home.home ?? null,
    take: async (calls) => present(userSessions).outbox.take(calls),
    learnIds: async (created) => present(userSessions).outbox.learnIds(created),
  };
}

function ownerOf({ server, account, origin, userid, username }: Home): WorkOwner {
  return { server, account, origin, userid, username };
}

function presentSync(userSessions: UserSessions, sessions: Sessions): Observable<SyncState> {
  const signedOut = sessions.state.pipe(
    map((session) =>
      syncStateOf({ isOnline: true, activity: noActivity, calls: new CallIndex(), session, trouble: null }),
    ),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
  return follow(userSessions, signedOut, ({ sync }) => sync);
}
