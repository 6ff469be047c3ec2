import type { Actions, Engine, Live, Views } from '#desktop/engine/engine.ts';
import type { PictureFile } from '#desktop/engine/api/records.ts';
import { JournalError } from '#desktop/engine/journal/store.ts';
import { asPerson } from '#desktop/engine/account/station/as-person.ts';
import { archivedGuide } from '#desktop/engine/features/archives/ids.ts';

import { approvalActions, approvalViews } from './fixture-approvals.ts';
import { auditActions } from './fixture-audit.ts';
import { orderHistoryActions } from './fixture-order-history.ts';
import { archiveActions, findArchive, findArchivedGuide } from './fixture-archives.ts';
import { draftActions, draftState } from './fixture-drafts.ts';
import { formActions, formViews } from './fixture-forms.ts';
import { findGuide, findGuides, findOthers, guideActions } from './fixture-guides.ts';
import { offlineActions } from './fixture-offline.ts';
import { orderActions } from './fixture-orders.ts';
import { fixtureTemplates, pageActions } from './fixture-pages.ts';
import { sessionActions } from './fixture-session.ts';
import { accountAdminFixture } from './fixture-accounts.ts';
import { accountActions } from './fixture-account.ts';
import { setupActions } from './fixture-setup.ts';
import { signOnActions } from './fixture-sign-on.ts';
import { siteActions } from './fixture-site.ts';
import { syncActions } from './fixture-sync.ts';
import { boardOf } from './fixture-board.ts';
import { deviationActions } from './fixture-deviations.ts';
import { feedbackActions } from './fixture-feedback.ts';
import { orderSigningActions } from './fixture-order-signing.ts';
import { demoReleases, followUps, plannedActions, planningFor } from './fixture-planned.ts';
import { historyActions } from './fixture-history.ts';
import { revisionActions } from './fixture-revisions.ts';
import { shiftActions, shiftTeams } from './fixture-shifts.ts';
import { stationAdminActions } from './fixture-stations.ts';
import { teamAdminFixture } from './fixture-teams.ts';
import { demoStationHealth, stationActions } from './fixture-station.ts';
import { reportActions } from './fixture-reports.ts';
import { stepFormActions, stepFormViews } from './fixture-step-forms.ts';
import { quizActions, trainingActions, trainingViews } from './fixture-training.ts';
import { tracingActions, tracingViews } from './fixture-tracing.ts';
import { makeWorld, treeOf, type World, type WorldOptions } from './fixture-world.ts';

/** A recorded call of an action. */
export interface FixtureCall {
  action: keyof Actions;
  args: unknown[];
}

/** An engine in memory: screens and their tests reach every state without a server. */
export interface FixtureEngine extends Engine {
  /** Calls in order. */
  calls: FixtureCall[];
  /** Changes the world like sync. */
  change(change: (world: World) => Partial<World>): void;
  world(): World;
}

export function makeFixtureEngine(options: WorldOptions = {}): FixtureEngine {
  let world = makeWorld(options);
  const listeners = new Set<() => void>();
  const uploads = new Map<string, string>();
  const calls: FixtureCall[] = [];

  const change: FixtureEngine['change'] = (make) => {
    world = { ...world, ...make(world) };
    for (const listener of listeners) listener();
  };

  /** A live value derived from the world; emits when the value changes. */
  function live<T>(pick: (now: World) => T): Live<T> {
    return {
      subscribe(next) {
        let last = pick(world);
        const listener = () => {
          const value = pick(world);
          if (JSON.stringify(value) === JSON.stringify(last)) return;
          last = value;
          next(value);
        };
        listeners.add(listener);
        queueMicrotask(() => next(last));
        return () => listeners.delete(listener);
      },
    };
  }

  const now = () => world;
  const newId = () => `tmp:${calls.length}`;
  const keep = (file: Blob): string => {
    const guid = `tmp:file-${uploads.size}`;
    uploads.set(guid, URL.createObjectURL(file));
    return guid;
  };
  const doing: Actions = {
    ...sessionActions(change, options),
    ...guideActions(change, newId),
    ...archiveActions(change),
    ...approvalActions(change),
    ...formActions(change),
    ...orderActions(now, change, newId, keep),
    ...orderSigningActions(now, change),
    ...deviationActions(now, change, newId, keep),
    ...feedbackActions(now, change, newId),
    ...plannedActions(now, change, newId),
    ...shiftActions(change, newId),
    ...revisionActions(change),
    ...historyActions(now, change),
    ...tracingActions(now),
    ...stationActions(now, change),
    ...draftActions(now, change, keep),
    ...stepFormActions(now, change),
    ...syncActions(change),
    ...accountActions(change, { mustSet: options.mustSetPassword === true }),
    ...siteActions(),
    ...accountAdminFixture(),
    ...stationAdminActions(),
    ...teamAdminFixture(() => world),
    ...auditActions(),
    ...orderHistoryActions(now),
    ...reportActions(now),
    ...setupActions(change, options),
    ...signOnActions(),
    ...quizActions(change, now),
    ...trainingActions(change, now),
    ...offlineActions(change),
    ...pageActions(change, () => calls.length, keep),
    readPicture: (guid) => readPicture(uploads, guid),
    syncNow() {},
  };

  return {
    views: viewsOf(live, uploads),
    actions: recorded(doing, calls),
    calls,
    change,
    world: now,
    waitsForDisk: () => false,
    async save() {
      if (world.storage.journal === 'full') throw new JournalError('no-space', 'The disk is full');
    },
    async close() {},
  };
}

/** Wraps actions so that each call is recorded before it runs. */
function recorded(actions: Actions, calls: FixtureCall[]): Actions {
  return new Proxy(actions, {
    get(target, name: keyof Actions) {
      return (...args: unknown[]) => {
        calls.push({ action: name, args });
        return Reflect.apply(target[name], target, args);
      };
    },
  });
}

/** The file of a picture: that of an upload, or a JPEG of what is drawn for a picture of the demo guides. */
async function readPicture(uploads: ReadonlyMap<string, string>, guid: string): Promise<PictureFile> {
  const upload = uploads.get(guid);
  if (upload !== undefined)
    return { file: await (await fetch(upload)).blob(), filename: 'upload', isSmaller: false };
  const drawing = new Image();
  drawing.src = `/pictures/${guid}.svg`;
  await drawing.decode();
  const canvas = new OffscreenCanvas(drawing.naturalWidth, drawing.naturalHeight);
  canvas.getContext('2d')?.drawImage(drawing, 0, 0);
  const file = await canvas.convertToBlob({ type: 'image/jpeg' });
  return { file, filename: `${guid}.jpg`, isSmaller: false };
}

/** Views of the world; `uploads` are the addresses of files chosen by the person. */
function viewsOf(live: <T>(pick: (now: World) => T) => Live<T>, uploads: ReadonlyMap<string, string>): Views {
  return {
    ...stepFormViews(live),
    session: () => live((now) => asPerson(now.session, now.station?.person ?? null)),
    syncState: () => live((now) => now.sync),
    station: () => live((now) => now.station),
    stationHealth: () => live((now) => (now.station === null ? null : demoStationHealth(now.station))),
    deviations: () => live((now) => now.deviations),
    feedback: () => live((now) => now.feedback),
    plannedOrders: () => live((now) => now.planned),
    planningFor: () => live((now) => planningFor(now)),
    followUps: () => live((now) => followUps(now)),
    releases: () => live(() => demoReleases()),
    shiftSummaries: () => live((now) => now.shifts),
    shiftSummary: (id) => live((now) => now.shifts.find((one) => one.shift_summaryid === id) ?? null),
    shiftTeams: () => live((now) => shiftTeams(now)),
    orderRecord: (entryid) =>
      live((now) => (now.orderRecord?.file.record.entryid === Number(entryid) ? now.orderRecord : null)),
    secondPersons: () =>
      live(({ people, session }) =>
        people
          .filter(({ userid }) => userid !== session.user?.userid)
          .map(({ userid, name }) => ({ userid, name, unique: null })),
      ),
    confirmable: (entryid) =>
      live(({ orders, toConfirm }) =>
        toConfirm.length === 0
          ? []
          : Object.entries(orders.find((one) => one.entryid === entryid)?.values ?? {}).flatMap(
              ([revision, { second }]) => (second?.state === 'named' ? [Number(revision)] : []),
            ),
      ),
    toConfirm: () => live((now) => now.toConfirm),
    orderRevision: (entryid) =>
      live((now) => (now.orderRevision?.entryid === entryid ? now.orderRevision.view : null)),
    categoryTree: () => live((now) => treeOf(now)),
    categoryNames: () => live((now) => now.categoryNames),
    find: (words) => live((now) => findOthers(now, words)),
    namedSupplies: (field) => live((now) => now.guides.flatMap((guide) => guide[field])),
    recentGuides: () =>
      live((now) => now.recent.flatMap((id) => now.cards.find(({ guideid }) => guideid === id) ?? [])),
    library: (query) => live((now) => findGuides(now, query)),
    guide: (guideid) => {
      const archived = archivedGuide(guideid);
      return live((now) =>
        archived === null
          ? findGuide(now, guideid)
          : findArchivedGuide(now, archived.archiveid, archived.place),
      );
    },
    offline: () => live((now) => now.offline.state),
    offlinePreview: () => live((now) => now.offline.preview),
    offlineOffer: () =>
      live((now) => ({
        tags: [{ tag: 'belt', guides: 3 }],
        teams: now.teams.map(({ teamid, name }) => ({ teamid: Number(teamid), name })),
      })),
    storageUse: () => live((now) => now.offline.use),
    archives: () => live((now) => now.archives),
    archive: (query) => live((now) => findArchive(now, query)),
    archiveImports: () => live((now) => now.archiveImports),
    archiveNews: () => live((now) => now.archiveNews),
    taggedGuides: () => live(() => [{ tag: 'belt', guideids: ['9001'] }]),
    serverArchives: () => live((now) => now.serverArchives),
    comingArchives: () => live((now) => now.comingArchives),
    workOrders: () => live((now) => now.orders),
    board: () => live((now) => boardOf(now)),
    workOrder: (entryid) => live((now) => now.orders.find((order) => order.entryid === entryid) ?? null),
    draft: (guideid) => live((now) => draftState(now, guideid)),
    pages: (namespace) => live((now) => now.pages.filter((page) => page.namespace === namespace)),
    page: (wikiid) => live((now) => now.pages.find((page) => page.wikiid === wikiid) ?? null),
    textSources: () => live(() => ({ templates: fixtureTemplates, images: [], langid: 'en' })),
    directory: () =>
      live(({ people, teams }) => ({
        people,
        teams: teams.map((team) => ({ ...team, members: team.members.length })),
      })),
    person: (userid) => live((now) => now.people.find((one) => one.userid === userid) ?? null),
    team: (teamid) => live((now) => now.teams.find((one) => one.teamid === teamid) ?? null),
    ...trainingViews(live),
    ...tracingViews(live),
    ...approvalViews(live),
    ...formViews(live),
    activity: () => live((now) => now.activity),
    keptWords: () => live((now) => now.kept),
    conflict: (guideid) =>
      live((now) => now.conflicts.find((conflict) => conflict.guideid === guideid) ?? null),
    guideHistory: () => live((now) => now.history),
    canReopen: (guideid) =>
      live(
        (now) =>
          now.decided.some((found) => found.guideid === guideid) &&
          now.guides.some((guide) => guide.guideid === guideid && guide.editState === 'queued'),
      ),
    picture: (guid) => live(() => uploads.get(guid) ?? `/pictures/${guid}.svg`),
    video: () => live((now) => now.video),
    document: (guid) => live(() => uploads.get(guid) ?? null),
    storage: () => live((now) => now.storage),
  };
}
