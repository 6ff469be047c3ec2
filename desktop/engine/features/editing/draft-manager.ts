import {
  type Observable,
  BehaviorSubject,
  Subscription,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
} from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { GuideContest } from '#desktop/engine/outbox/kinds/guides.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { DecidedConflicts } from './decided-conflicts.ts';
import { awaitedSavesOf, hasUnsavedEdits, openSavesOf } from './guide-saves.ts';
import { OpenDrafts } from './open-drafts.ts';
import { adoptOfferedSaves, meetHistory } from './restored-history.ts';
import { ServerFollower } from './server-follower.ts';
import { StoredDrafts, unreadableWords } from './stored-drafts.ts';

/** After this time, a tab that does not lead assumes that another tab does, ms. */
const leadWithin = 2000;

/**
 * The drafts of the signed-in person: in memory while open, journalled, and following the server's versions. Only the
 * leading tab edits them, so that no tab overwrites what another one wrote. The other tabs read what it stores.
 */
export class DraftManager {
  readonly #core: Core;
  readonly #open: OpenDrafts;
  readonly #follower: ServerFollower;
  readonly #stored: StoredDrafts;
  readonly #subscriptions = new Subscription();
  readonly #leads = new BehaviorSubject(false);
  /** What the latest decisions replaced. */
  readonly decidedConflicts = new DecidedConflicts();

  constructor(core: Core) {
    this.#core = core;
    const leads = (): boolean => this.#leads.value;
    this.#open = new OpenDrafts(core, (open, record) => this.#follower.follow(open, record));
    this.#follower = new ServerFollower({ core, open: this.#open, leads });
    this.#stored = new StoredDrafts({ core, open: this.#open, follower: this.#follower, leads });
    const account = combineLatest([core.session.state, core.sync.leads]).pipe(
      map(([{ user, server }, isLeader]) => ({ leads: isLeader, person: `${user?.userid} ${server}` })),
      distinctUntilChanged((a, b) => a.leads === b.leads && a.person === b.person),
    );
    this.#subscriptions.add(
      account.subscribe((next) => {
        this.decidedConflicts.clear();
        this.#stored.reload();
        this.#leads.next(next.leads);
      }),
    );
    this.#subscriptions.add(core.drafts.ids.subscribe(() => this.#noticeStored()));
    this.#subscriptions.add(core.outbox.calls.subscribe(() => this.#follower.settleAll()));
  }

  /** All open drafts by guideid; emits after every change of one of them. */
  get drafts(): Observable<ReadonlyMap<string, OpenDraft>> {
    return this.#open.state;
  }

  /** Guideids of drafts that this version of the app cannot read. Their stored form stays as it is. */
  get unreadable(): Observable<readonly string[]> {
    return this.#stored.unreadable;
  }

  /** Guideids of drafts that have a contested save, but no conflict that a person has to decide. */
  get decided(): Observable<string> {
    return this.#follower.decided;
  }

  /** Emits whenever the drafts of a home have been read. */
  get loaded(): Observable<void> {
    return this.#stored.loaded;
  }

  /** Resolves when stored drafts have been read. Throws `Problem` conflict if another home is open by then. */
  async ready(): Promise<void> {
    const { mustHold } = this.#core.held();
    await this.#stored.loading;
    mustHold();
  }

  /** Resolves when this tab may edit the drafts. Throws `Problem` conflict while another tab does. */
  async toEdit(): Promise<void> {
    const { mustHold } = this.#core.held();
    await this.ready();
    if (!this.#leads.value) {
      const late = Promise.withResolvers<never>();
      const cancel = this.#core.environment.setTimer(
        () => late.reject(new Problem('conflict', editedElsewhere)),
        leadWithin,
      );
      await Promise.race([firstValueFrom(this.#leads.pipe(filter(Boolean))), late.promise]).finally(cancel);
    }
    await this.ready();
    mustHold();
  }

  /** Whether this tab edits the drafts. */
  get leads(): boolean {
    return this.#leads.value;
  }

  /** The open draft of a guide, by its temporary or its real id. */
  find(guideid: string): OpenDraft | undefined {
    return this.#open.find(guideid);
  }

  /** The open draft of a guide. Throws `Problem` not-found when there is none. */
  read(guideid: string): OpenDraft {
    const open = this.find(guideid);
    if (open === undefined) throw new Problem('not-found', noDraft);
    return open;
  }

  /** Whether a draft of a guide is stored that this version of the app cannot read. */
  isUnreadable(guideid: string): boolean {
    return this.#stored.isUnreadable(guideid);
  }

  /** Whether a draft holds edits that no waiting save contains. */
  hasUnsaved(open: OpenDraft): boolean {
    return hasUnsavedEdits(this.#core, open);
  }

  /** Saves of a guide that the server does not have, oldest first. */
  openSaves(guideid: string): OutboxCall[] {
    return openSavesOf(this.#core, guideid);
  }

  /** Saves of a draft that the server has taken, while the draft has not yet met the version that they became. */
  awaitedSaves(open: OpenDraft): OutboxCall[] {
    return awaitedSavesOf(this.#core, open);
  }

  /**
   * Opens the draft of a guide, or continues the present one. `base`: the server's version, null for a new guide.
   * Throws `Problem` conflict if a draft is stored that cannot be read, because a new one would overwrite it.
   */
  async openFor(guideid: string, base: GuideFacts | null): Promise<OpenDraft> {
    await this.ready();
    if (this.isUnreadable(guideid)) throw new Problem('conflict', unreadableWords);
    const random = (): number => this.#core.environment.random();
    const open = this.find(guideid) ?? this.#open.add(guideid, GuideDraft.open({ base, random }));
    await adoptOfferedSaves(this.#core, open);
    return open;
  }

  /**
   * Adapts the drafts to a server that was restored (OUTBOX-31). `made`: guides that are created again, from the old id
   * (`guides/61`) to the temporary one.
   */
  async meetHistory(made: ReadonlyMap<string, string>): Promise<void> {
    await this.ready();
    const settle = (open: OpenDraft): Promise<void> => this.#follower.settle(open);
    await meetHistory({ core: this.#core, open: this.#open, settle }, made);
  }

  /** Brings the draft of a guide up to the saves that are sent again to a restored server (OUTBOX-30). */
  async adopt(guideid: string): Promise<void> {
    const open = this.find(guideid);
    if (open !== undefined) await adoptOfferedSaves(this.#core, open);
  }

  /** The draft of a new guide in which nothing was written. */
  findBlank(): OpenDraft | undefined {
    return [...this.#open.values()].find(
      ({ id, draft }) => draft.base === null && !draft.isDirty() && this.openSaves(id).length === 0,
    );
  }

  /** Discards the edits since the last save; if no save waits, the whole draft. */
  async discard(guideid: string): Promise<void> {
    const open = this.find(guideid);
    if (open === undefined) return;
    const { saved } = open;
    const { mustHold } = this.#core.held();
    await open.forget();
    this.#open.drop(open);
    if (saved === null) return;
    mustHold();
    const restored = this.#open.addStored(open.id, saved);
    restored.markSaved(true);
    await restored.flush();
  }

  /** Removes what is stored of a draft that cannot be read. False if there is none of this id. */
  discardUnreadable(id: string): Promise<boolean> {
    return this.#stored.discardUnreadable(id);
  }

  /**
   * Takes in a draft that another device stored. `stored`: its records by id. False if this device has a draft of that
   * guide already.
   * @throws UnreadableDraft when it cannot be read; then nothing of it is stored
   */
  async take(id: string, stored: ReadonlyMap<string, unknown>): Promise<boolean> {
    const { drafts, mustHold } = this.#core.held();
    await this.toEdit();
    const present = await firstValueFrom(drafts.ids);
    if (this.find(id) !== undefined || present.includes(id)) return false;
    const { record, isSaved } = await this.#stored.parse(id, stored);
    mustHold();
    const open = this.#open.addStored(id, record);
    open.markSaved(isSaved);
    await open.flush();
    return true;
  }

  /** Closes a draft, and then removes everything that is stored of it. */
  async lose(open: OpenDraft): Promise<void> {
    await this.#open.lose(open);
  }

  /** Lets a draft follow the server's version, where that needs no decision by a person. */
  async settle(open: OpenDraft): Promise<void> {
    await this.#follower.settle(open);
  }

  /**
   * Puts the open conflicts of a draft up for decision, as a contested save that is sent once they are decided. Does
   * nothing while saves of the draft wait: those have a decision already, or lead to one.
   */
  announce(open: OpenDraft, contest: Partial<GuideContest> = {}): Promise<void> {
    return this.#follower.announce(open, contest);
  }

  /**
   * Resolves when every edit of every draft is journalled, and drafts that the server holds entirely are removed. If a
   * draft cannot be stored, the others still are; then it throws the first error.
   */
  async flush(): Promise<void> {
    const results = await Promise.allSettled([...this.#open.values()].map((open) => open.flush()));
    await this.#follower.cleaned();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** As `flush`, until nothing was typed meanwhile. */
  async flushAll(): Promise<void> {
    do await this.flush();
    while ([...this.#open.values()].some(({ isSaving }) => isSaving));
  }

  /** Journals everything and closes all drafts. */
  async close(): Promise<void> {
    this.#subscriptions.unsubscribe();
    this.#follower.close();
    this.#stored.close();
    // If drafts could not be read, the edits of the others are saved all the same.
    await this.#stored.loading.catch(() => undefined);
    await this.flush();
    for (const open of this.#open.values()) this.#open.drop(open);
  }

  /** Reads the drafts again after another tab stored something. When this tab leads, no other one stores drafts. */
  #noticeStored(): void {
    if (!this.#leads.value) this.#stored.reload();
  }
}

const editedElsewhere =
  'Guides are being edited in another window of this app. Go on there, or close that window and try again.';

const noDraft =
  'There is no draft of this guide any more. If you can no longer see the guide, your words are kept under Sync.';
