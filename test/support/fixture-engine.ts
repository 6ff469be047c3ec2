import type { Actions, Engine, Live, Views } from '#desktop/engine/api.ts';
import { archivedGuide } from '#desktop/engine/archives/ids.ts';
import type {
  CommentView,
  FormFieldView,
  GuideSummaryCard,
  LibraryPage,
  LibraryQuery,
  PlayableGuide,
  RecordedValue,
  WorkOrder,
} from '#desktop/engine/views/records.ts';
import type { ActivityItem } from '#desktop/engine/views/sync-records.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';

import { approvalActions, approvalViews } from './fixture-approvals.ts';
import { auditActions } from './fixture-audit.ts';
import { archiveActions, findArchive, findArchivedGuide } from './fixture-archives.ts';
import { draftActions, draftState } from './fixture-drafts.ts';
import { fixtureTemplates, pageActions } from './fixture-pages.ts';
import { signOnActions } from './fixture-sign-on.ts';
import { siteActions } from './fixture-site.ts';
import { quizActions, trainingActions, trainingViews } from './fixture-training.ts';
import { isIn, makeWorld, treeOf, type World, type WorldOptions } from './fixture-world.ts';

/** One action that the screens asked for. */
export interface FixtureCall {
  action: keyof Actions;
  args: unknown[];
}

/** An engine that lives in memory: screens and their tests see every state without a server. */
export interface FixtureEngine extends Engine {
  /** Actions in the order they were asked for. */
  calls: FixtureCall[];
  /** Changes the world as sync would. */
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

  /** A live value picked from the world; emits when the picked value is another one. */
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

  const views: Views = {
    session: () => live((now) => now.session),
    syncState: () => live((now) => now.sync),
    categoryTree: () => live((now) => treeOf(now.cards)),
    library: (query) => live((now) => findGuides(now, query)),
    guide: (guideid) => {
      const archived = archivedGuide(guideid);
      return live((now) =>
        archived === null
          ? findGuide(now, guideid)
          : findArchivedGuide(now, archived.archiveid, archived.place),
      );
    },
    archives: () => live((now) => now.archives),
    archive: (query) => live((now) => findArchive(now, query)),
    archiveImports: () => live((now) => now.archiveImports),
    archiveNews: () => live((now) => now.archiveNews),
    taggedGuides: () => live(() => [{ tag: 'belt', guideids: ['9001'] }]),
    serverArchives: () => live((now) => now.serverArchives),
    workOrders: () => live((now) => now.orders),
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
    ...approvalViews(live),
    activity: () => live((now) => now.activity),
    conflict: (guideid) =>
      live((now) => now.conflicts.find((conflict) => conflict.guideid === guideid) ?? null),
    picture: (guid) => live(() => uploads.get(guid) ?? `/pictures/${guid}.svg`),
    video: () => live((now) => now.video),
    document: (guid) => live(() => uploads.get(guid) ?? null),
    storage: () => live((now) => now.storage),
  };

  const changeGuide = (guideid: string, make: (guide: PlayableGuide) => Partial<PlayableGuide>) =>
    change((now) => ({
      guides: now.guides.map((guide) => (guide.guideid === guideid ? { ...guide, ...make(guide) } : guide)),
    }));
  const changeOrder = (entryid: string, make: (order: WorkOrder) => Partial<WorkOrder>) =>
    change((now) => ({
      orders: now.orders.map((order) => (order.entryid === entryid ? { ...order, ...make(order) } : order)),
      sync: { ...now.sync, pending: now.sync.pending + 1 },
    }));
  const changeItem = (id: string, make: (item: ActivityItem) => Partial<ActivityItem>) =>
    change((now) => ({
      activity: now.activity.map((item) => (item.id === id ? { ...item, ...make(item) } : item)),
    }));
  const record = (entryid: string, field: FormFieldView, value: Partial<RecordedValue>) =>
    changeOrder(entryid, (order) => ({
      values: {
        ...order.values,
        [field.field_revisionid]: {
          value: '',
          label: field.label,
          stepid: field.stepid,
          fieldType: field.field_type,
          fileName: null,
          imageGuid: null,
          saved: 'device',
          ...value,
        },
      },
    }));

  const doing: Actions = {
    ...archiveActions(change),
    ...approvalActions(change),
    async signIn(server, email) {
      if (options.refuseSignIn !== undefined) throw new Problem('unauthorized', options.refuseSignIn);
      const user = { userid: 9101, username: email, privileges: [] };
      change((now) => ({
        session: { ...now.session, server, user, status: 'signed-in' },
        sync: { ...now.sync, needsSignIn: false },
      }));
    },
    forgotPassword: () => Promise.resolve(),
    async resetPassword(_server, token) {
      if (token === 'used') throw invalid('token', 'This link was used or is too old. Ask for a new one');
    },
    async signOut() {
      change((now) => ({ session: { ...now.session, user: null, status: 'signed-out' } }));
    },
    async noteLossSeen() {
      change((now) => ({ session: { ...now.session, loss: null } }));
    },
    syncNow() {},
    async favorite(guideid, on) {
      changeGuide(guideid, () => ({ favorite: on }));
      change((now) => ({
        cards: now.cards.map((card) => (card.guideid === guideid ? { ...card, favorite: on } : card)),
      }));
    },
    async complete(guideid, on) {
      changeGuide(guideid, () => ({ completed: on }));
    },
    async comment(context, contextid, words, replyTo) {
      const comment = newComment(`tmp:${calls.length}`, words);
      const add = (list: CommentView[]) =>
        replyTo === undefined
          ? [...list, comment]
          : list.map((other) =>
              other.commentid === replyTo ? { ...other, replies: [...other.replies, comment] } : other,
            );
      change((now) => ({
        guides: now.guides.map((guide) =>
          context === 'guide'
            ? guide.guideid === contextid
              ? { ...guide, comments: add(guide.comments) }
              : guide
            : {
                ...guide,
                steps: guide.steps.map((step) =>
                  step.stepid === contextid ? { ...step, comments: add(step.comments) } : step,
                ),
              },
        ),
      }));
      return comment.commentid;
    },
    async postAsReply() {
      return `tmp:${calls.length}`;
    },
    async editComment() {},
    async removeComment() {},
    async startWorkOrder(guideid, workorderid) {
      const now = Date.now();
      const guide = must(findGuide(world, guideid), 'the guide');
      const order: WorkOrder = {
        entryid: `tmp:${calls.length}`,
        workorderid,
        guideid,
        guideTitle: guide.title,
        imageGuid: guide.imageGuid,
        status: 'started',
        userid: 9101,
        username: 'Ana Ruiz',
        mine: true,
        startedAt: now,
        endedAt: null,
        statusSince: now,
        activeMs: 0,
        asOf: now,
        running: true,
        activeStepid: null,
        stepMs: {},
        values: {},
        stepsDone: [],
        timeAdjusted: false,
        pending: 1,
        frozen: false,
      };
      change(({ orders }) => ({ orders: [order, ...orders] }));
      return order.entryid;
    },
    async moveWorkOrder(entryid, move) {
      const now = Date.now();
      const statuses = {
        pause: 'paused',
        resume: 'started',
        suspend: 'suspended',
        assume: 'started',
        finish: 'complete',
        cancel: 'cancelled',
      } as const;
      const status = statuses[move];
      changeOrder(entryid, (order) => ({
        status,
        statusSince: now,
        activeMs: order.running ? order.activeMs + now - order.asOf : order.activeMs,
        asOf: now,
        running: status === 'started',
        endedAt: status === 'complete' || status === 'cancelled' ? now : null,
        mine: order.mine || move === 'assume',
      }));
    },
    async enterStep(entryid, stepid) {
      changeOrder(entryid, (order) => ({
        activeStepid: stepid,
        stepsDone:
          order.activeStepid === null
            ? order.stepsDone
            : [...new Set([...order.stepsDone, order.activeStepid])],
      }));
    },
    async recordValue(entryid, field, value) {
      record(entryid, field, { value });
    },
    async recordFile(entryid, field, file, fileName) {
      const guid = `tmp:${fileName}`;
      uploads.set(guid, URL.createObjectURL(file));
      record(entryid, field, {
        value: guid,
        fileName,
        imageGuid: field.field_type === 'Image' ? guid : null,
      });
    },
    async saveAsOwnOrder(entryid) {
      changeOrder(entryid, () => ({ frozen: false, mine: true }));
      return entryid;
    },
    async exportOrder(entryid) {
      return { filename: `${entryid}.json`, json: '{}' };
    },
    async discardOrder(entryid) {
      change((now) => ({ orders: now.orders.filter((order) => order.entryid !== entryid) }));
    },
    ...draftActions(
      () => world,
      change,
      (file) => {
        const guid = `tmp:picture-${uploads.size}`;
        uploads.set(guid, URL.createObjectURL(file));
        return guid;
      },
    ),
    async resolveConflict(guideid, conflictid) {
      change((now) => ({
        conflicts: now.conflicts.map((found) =>
          found.guideid === guideid
            ? { ...found, conflicts: found.conflicts.filter((one) => one.conflictid !== conflictid) }
            : found,
        ),
      }));
    },
    async retryCall(callid) {
      changeItem(callid, () => ({ state: 'queued', refusal: null }));
    },
    async discardCall(callid) {
      change((now) => ({ activity: now.activity.filter(({ id }) => id !== callid) }));
    },
    async exportCall() {
      return { filename: 'call.json', json: '{}' };
    },
    async editCall(callid, body) {
      changeItem(callid, ({ call }) => ({ state: 'queued', refusal: null, call: { ...call, body } }));
    },
    ...siteActions(),
    ...auditActions(),
    ...signOnActions(),
    ...quizActions(change, () => world),
    ...trainingActions(change, () => world),
    ...pageActions(
      change,
      () => calls.length,
      (file) => {
        const guid = `tmp:file-${uploads.size}`;
        uploads.set(guid, URL.createObjectURL(file));
        return guid;
      },
    ),
    async downloadGuides(guideids) {
      change((now) => ({
        cards: now.cards.map((card) =>
          guideids.includes(card.guideid) ? { ...card, readiness: { state: 'ready' } } : card,
        ),
      }));
    },
  };

  return { views, actions: recorded(doing, calls), calls, change, world: () => world, async close() {} };
}

/** The same actions, each noted before it is done. */
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

function newComment(commentid: string, words: string): CommentView {
  return {
    commentid,
    author: 'Ana Ruiz',
    mine: true,
    html: `<p>${words.replace(/[<&]/g, '')}</p>`,
    text: words,
    at: Date.now(),
    edited: false,
    editable: true,
    pending: true,
    replies: [],
  };
}

/** Guides without content of their own are played with the steps of the last demo guide. */
function findGuide(world: World, guideid: string): PlayableGuide | null {
  const own = world.guides.find((guide) => guide.guideid === guideid);
  const card = world.cards.find((other) => other.guideid === guideid);
  const model = world.guides.at(-1);
  if (own || !card || !model) return own ?? null;
  const { title, category, difficulty, imageGuid, favorite, readiness } = card;
  return { ...model, guideid, title, category, difficulty, imageGuid, favorite, readiness };
}

function findGuides(world: World, query: LibraryQuery): LibraryPage {
  const words = query.search?.toLowerCase();
  const guides = world.cards
    .filter((card) => query.category === null || isIn(card, query.category))
    .filter((card) => query.only !== 'favorites' || card.favorite)
    .filter((card) => query.only !== 'ready-offline' || card.readiness.state === 'ready')
    .filter(() => query.only !== 'drafts')
    .flatMap((card) => found(card, words))
    .toSorted((a, b) => a.title.localeCompare(b.title));
  return {
    guides,
    total: guides.length,
    readyOffline: guides.filter((card) => card.readiness.state === 'ready').length,
    mediaBytes: world.storage.mediaBytes,
  };
}

function found(card: GuideSummaryCard, words: string | undefined): GuideSummaryCard[] {
  if (words === undefined) return [card];
  const text = `${card.title}: what to do, step by step`;
  const start = text.toLowerCase().indexOf(words);
  return start < 0 ? [] : [{ ...card, snippet: { text, marks: [[start, start + words.length]] } }];
}
