import {
  type Observable,
  BehaviorSubject,
  Subject,
  Subscription,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
} from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { GuideDraft, type DraftRecord } from '#desktop/engine/drafts/guide-draft.ts';
import { guideSaveOf, type GuideContest, type GuideSave } from '#desktop/engine/outbox/kinds/guides.ts';
import { contestedWords } from '#desktop/engine/outbox/own-words.ts';
import { OpenDraft, UnreadableDraft, isBatchId } from '#desktop/engine/drafts/open-draft.ts';
import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';

/** How long a tab waits to lead before it takes it that another tab does, ms. */
const leadWithin = 2000;

/**
 * The drafts of the signed-in person: in memory while open, journalled, and following the server's versions. One tab
 * edits them, the leading one, so that no tab writes over what another one wrote; the others read what it stores.
 */
export class DraftManager {
  readonly #core: Core;
  readonly #open = new Map<string, OpenDraft>();
  readonly #following = new Map<string, Subscription>();
  readonly #state = new BehaviorSubject<ReadonlyMap<string, OpenDraft>>(new Map());
  readonly #unreadable = new BehaviorSubject<readonly string[]>([]);
  readonly #subscriptions = new Subscription();
  readonly #leads = new BehaviorSubject(false);
  readonly #cleaning = new Set<Promise<void>>();
  readonly #decided = new Subject<string>();
  readonly #loaded = new Subject<void>();
  readonly #announcing = new Map<OpenDraft, Promise<void>>();
  #loading: Promise<void> = Promise.resolve();
  #isStale = false;

  constructor(core: Core) {
    this.#core = core;
    const reader = combineLatest([core.session.state, core.sync.leads]).pipe(
      map(([{ user, server }, leads]) => ({ leads, person: `${user?.userid} ${server}` })),
      distinctUntilChanged((a, b) => a.leads === b.leads && a.person === b.person),
    );
    this.#subscriptions.add(
      reader.subscribe(({ leads }) => {
        this.#reload();
        this.#leads.next(leads);
      }),
    );
    core.beforeLeaving(() => this.#flushAll());
    this.#subscriptions.add(core.drafts.ids.subscribe(() => this.#notice()));
    this.#subscriptions.add(core.outbox.calls.subscribe(() => this.#settleAll()));
  }

  /** All open drafts by guideid; emits on every change of one of them. */
  get drafts(): Observable<ReadonlyMap<string, OpenDraft>> {
    return this.#state;
  }

  /** Guideids of drafts that this version of the app cannot read; what is stored of them stays as it is. */
  get unreadable(): Observable<readonly string[]> {
    return this.#unreadable;
  }

  /** Guideids of drafts with a contested save and nothing that a person has to decide. */
  get decided(): Observable<string> {
    return this.#decided;
  }

  /** Emits when the drafts of a home have been read, or read anew. */
  get loaded(): Observable<void> {
    return this.#loaded;
  }

  /** Resolves when stored drafts have been read. Throws `Problem` conflict when they are another home's by then. */
  async ready(): Promise<void> {
    const { mustHold } = this.#core.held();
    await this.#loading;
    mustHold();
  }

  /** Resolves when this tab may edit the drafts. Throws `Problem` while another tab does. */
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

  /** The open draft of a guide, by either of its ids. */
  find(guideid: string): OpenDraft | undefined {
    const wanted = this.#resolve(guideid);
    return [...this.#open.values()].find((open) => this.#resolve(open.id) === wanted);
  }

  /** The open draft. Throws `Problem` not-found when there is none, or none any more. */
  read(guideid: string): OpenDraft {
    const open = this.find(guideid);
    if (open === undefined) throw new Problem('not-found', noDraft);
    return open;
  }

  /** Whether a draft of a guide is stored that this version of the app cannot read. */
  isUnreadable(guideid: string): boolean {
    const wanted = this.#resolve(guideid);
    return this.#unreadable.value.some((id) => this.#resolve(id) === wanted);
  }

  /** Whether a draft holds edits that no waiting save carries. */
  hasUnsaved({ id, draft }: OpenDraft): boolean {
    const waiting = this.openSaves(id).at(-1);
    const save = waiting === undefined ? undefined : guideSaveOf(waiting);
    if (save === undefined) return draft.isDirty();
    return !sameValue(draft.sentContent(save.saveId) ?? save.content, draft.content());
  }

  /** Opens the draft of a guide, or continues the one there is. `base`: the server's version, null for a new guide. */
  async openFor(guideid: string, base: GuideFacts | null): Promise<OpenDraft> {
    await this.ready();
    // A new draft would take its place.
    if (this.isUnreadable(guideid)) throw new Problem('conflict', unreadableWords);
    const random = (): number => this.#core.environment.random();
    const open = this.find(guideid) ?? this.#add(guideid, GuideDraft.open({ base, random }));
    await this.#adopt(open);
    return open;
  }

  /**
   * The server has another history. A draft of a guide that is to be made again (`made`: `guides/61` to its temporary
   * id) belongs to that one; any other follows the server's version, whatever its number, where its own is gone (OUTBOX-31).
   */
  async meetHistory(made: ReadonlyMap<string, string>): Promise<void> {
    await this.ready();
    for (const open of this.#open.values()) {
      const { base } = open.draft;
      // A draft that was begun since the restore is of the guide that has the number now.
      const isOfPresent =
        base !== null && base.uid !== undefined && base.uid === (await this.#uidNow(open.id));
      const temporary = isOfPresent ? undefined : made.get(`guides/${open.id}`);
      const own = temporary === undefined ? open : await this.#rename(open, temporary);
      const id = this.#resolve(own.id);
      const record = id.startsWith('tmp:') ? null : await this.#core.mirror.get('guides', id);
      if (base === null || (record !== null && isSameVersion(base, record.facts))) continue;
      own.draft.forgetRevision();
      own.markSaved(own.saved !== null);
      await own.flush();
      await this.settle(own);
    }
  }

  /** The `uid` of the guide that has a number on the server now. */
  async #uidNow(id: string): Promise<string | undefined> {
    return id.startsWith('tmp:') ? undefined : (await this.#core.mirror.get('guides', id))?.facts.uid;
  }

  /**
   * The same draft under another id, with whatever is typed while it moves. It is stored there before it is taken away
   * here: when that fails, it stays, and when the app ends in between, the next attempt goes on with the later one.
   */
  async #rename(open: OpenDraft, id: string): Promise<OpenDraft> {
    const moved = this.#open.get(id);
    if (moved !== undefined && moved.batch > open.batch) {
      await this.lose(open);
      return moved;
    }
    await open.copyTo(id);
    if (moved !== undefined) this.#drop(moved);
    const draft = GuideDraft.fromJSON(open.draft.toJSON(), () => this.#core.environment.random());
    const renamed = this.#add(id, draft, { saved: open.saved, batch: open.batch + 1 });
    renamed.keep();
    this.#drop(open);
    const written = renamed.flush();
    await Promise.all([written, open.erase(written)]);
    return renamed;
  }

  /** Brings the draft up to the saves that a restored server was offered again (OUTBOX-30). */
  async adopt(guideid: string): Promise<void> {
    const open = this.find(guideid);
    if (open !== undefined) await this.#adopt(open);
  }

  /** Journals the draft before the calls: should the app end between the two, the next time finds them adopted. */
  async #adopt(open: OpenDraft): Promise<void> {
    const calls = this.openSaves(open.id).filter((call) => guideSaveOf(call)?.offered === true);
    const saves = calls.flatMap((call) => guideSaveOf(call) ?? []);
    const [first] = saves;
    if (first === undefined) return;
    const { outbox } = this.#core.held();
    open.draft.adopt(
      first.base,
      saves.map(({ saveId, before, content }) => ({ id: saveId, before, content })),
    );
    open.markSaved(true);
    await open.flush();
    for (const [index, { id }] of calls.entries()) {
      const context = { ...saves[index], offered: undefined };
      await outbox.change(id, { context });
    }
  }

  /** The draft of a new guide in which nothing was written. */
  findBlank(): OpenDraft | undefined {
    return [...this.#open.values()].find(
      ({ id, draft }) => draft.base === null && !draft.isDirty() && this.openSaves(id).length === 0,
    );
  }

  /** Throws the edits since the last save away; without a save that waits, the whole draft. */
  async discard(guideid: string): Promise<void> {
    const open = this.find(guideid);
    if (open === undefined) return;
    const { saved } = open;
    const { mustHold } = this.#core.held();
    await open.forget();
    this.#drop(open);
    if (saved === null) return;
    mustHold();
    const restored = this.#add(
      open.id,
      GuideDraft.fromJSON(saved, () => this.#core.environment.random()),
    );
    restored.markSaved(true);
    await restored.flush();
  }

  /** Takes what is stored of a draft that cannot be read out of the journal; false: there is none of that id. */
  async discardUnreadable(id: string): Promise<boolean> {
    if (!this.#unreadable.value.includes(id)) return false;
    const { drafts } = this.#core.held();
    const ids = await firstValueFrom(drafts.ids);
    const isOf = (one: string): boolean => one === id || (isBatchId(one) && one.replace(/\+\d+$/, '') === id);
    for (const one of ids.filter(isOf)) await drafts.remove(one);
    this.#unreadable.next(this.#unreadable.value.filter((one) => one !== id));
    return true;
  }

  /**
   * Takes in what another device had stored of a draft, by id; false: there is such a draft here.
   * @throws UnreadableDraft when it is none; then nothing of it is kept
   */
  async take(id: string, stored: ReadonlyMap<string, unknown>): Promise<boolean> {
    const { drafts, mustHold } = this.#core.held();
    await this.toEdit();
    const present = await firstValueFrom(drafts.ids);
    if (this.find(id) !== undefined || present.includes(id)) return false;
    const deps = {
      store: { ...this.#core.drafts, get: async (one: string) => stored.get(one) },
      environment: this.#core.environment,
    };
    const read = await OpenDraft.read(id, [...stored.keys()], deps, () => undefined);
    if (read === undefined) throw new UnreadableDraft('The draft cannot be read');
    const record = read.draft.toJSON();
    const isSaved = read.saved !== null;
    read.close();
    mustHold();
    const open = this.#add(
      id,
      GuideDraft.fromJSON(record, () => this.#core.environment.random()),
    );
    open.markSaved(isSaved);
    await open.flush();
    return true;
  }

  /** Takes a draft, with everything it holds, out of memory at once and then out of the journal. */
  async lose(open: OpenDraft): Promise<void> {
    this.#drop(open);
    await open.erase();
  }

  /**
   * Resolves when every edit of every draft is journalled, and what the server has taken is cleaned up. A draft that
   * cannot be stored holds up no other one.
   */
  async flush(): Promise<void> {
    const results = await Promise.allSettled([...this.#open.values()].map((open) => open.flush()));
    await Promise.all(this.#cleaning);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** The same again, until nothing was typed meanwhile. */
  async #flushAll(): Promise<void> {
    do await this.flush();
    while ([...this.#open.values()].some(({ isSaving }) => isSaving));
  }

  /** Journals everything and ends. */
  async close(): Promise<void> {
    this.#subscriptions.unsubscribe();
    this.#decided.complete();
    this.#loaded.complete();
    // What could not be read is no reason to leave what was written unsaved.
    await this.#loading.catch(() => undefined);
    await this.flush();
    for (const open of this.#open.values()) this.#drop(open);
  }

  /** Lets a draft follow the server where that needs no decision (see `settle`). */
  async settle(open: OpenDraft): Promise<void> {
    const id = this.#resolve(open.id);
    const record = id.startsWith('tmp:') ? null : await this.#core.mirror.get('guides', id);
    if (this.#open.get(open.id) === open) this.#follow(open, record);
  }

  #resolve(id: string): string {
    return this.#core.outbox.realId(id) ?? id;
  }

  /** Reads all drafts anew, once for any number of wishes. */
  #reload(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    const read = async (): Promise<void> => {
      this.#isStale = false;
      await this.#readAll();
    };
    this.#loading = this.#loading.then(read, read);
    // Whoever waits for it is told; nobody may be waiting.
    this.#loading.catch(() => undefined);
  }

  async #readAll(): Promise<void> {
    const { environment, drafts, mustHold } = this.#core.held();
    const ids = await firstValueFrom(drafts.ids);
    const wanted = ids.filter((id) => !isBatchId(id));
    const read = wanted.map((id) => {
      // A draft is written to where it was read, whoever signs in meanwhile.
      const deps = { store: drafts.own(), environment };
      return OpenDraft.read(id, ids, deps, () => this.#tell()).catch((error: unknown) => lost(id, error));
    });
    const all = await Promise.all(read);
    mustHold();
    const found = await this.#latest(all.filter((open) => open instanceof OpenDraft));
    mustHold();
    this.#unreadable.next(all.filter((open) => typeof open === 'string'));
    for (const open of this.#open.values()) this.#release(open);
    for (const open of found) this.#open.set(open.id, open);
    this.#tell();
    this.#loaded.next();
    for (const open of found) {
      this.#watch(open);
      await this.settle(open);
    }
  }

  /** Of two drafts of one guide the later one: the app ended while the draft moved to another id. */
  async #latest(found: readonly OpenDraft[]): Promise<OpenDraft[]> {
    const latest = new Map<string, OpenDraft>();
    for (const open of found.toSorted((a, b) => a.batch - b.batch)) {
      const id = this.#resolve(open.id);
      const earlier = latest.get(id);
      latest.set(id, open);
      earlier?.close();
      // What stays stored is read again at the next start.
      if (this.#leads.value) await earlier?.erase().catch(() => undefined);
    }
    const kept = new Set(latest.values());
    return found.filter((open) => kept.has(open));
  }

  /** Another tab stored something. This one, when it leads, is the only one that does. */
  #notice(): void {
    if (!this.#leads.value) this.#reload();
  }

  #add(
    id: string,
    draft: GuideDraft,
    { saved, batch }: { saved: DraftRecord | null; batch: number | null } = { saved: null, batch: null },
  ): OpenDraft {
    const deps = { store: this.#core.drafts.own(), environment: this.#core.environment };
    const stored = { batch, batches: 0, saved };
    return this.#hold(new OpenDraft(id, draft, deps, () => this.#tell(), stored));
  }

  #hold(open: OpenDraft): OpenDraft {
    this.#open.set(open.id, open);
    this.#watch(open);
    this.#tell();
    return open;
  }

  #watch(open: OpenDraft): void {
    const id = this.#resolve(open.id);
    if (id.startsWith('tmp:') || this.#following.has(open.id)) return;
    const records = this.#core.mirror.one('guides', id);
    this.#following.set(
      open.id,
      records.subscribe((record) => this.#follow(open, record)),
    );
  }

  #settleAll(): void {
    for (const open of this.#open.values()) {
      this.#watch(open);
      // The mirror may be closing; whoever opens it next settles anew.
      this.settle(open).catch(() => undefined);
    }
  }

  #follow(open: OpenDraft, record: Mirrored<'guides'> | null): void {
    const { draft } = open;
    if (!this.#leads.value || open.isHeld || record === null || isOther(draft.base, record.facts)) return;
    if (record.facts.revisionid > (draft.base?.revisionid ?? 0)) this.#takeOver(open, record);
    const waiting = this.openSaves(open.id);
    const isContested = draft.conflicts.length > 0;
    if (!isContested && waiting.some(({ state }) => state === 'conflict')) this.#decided.next(open.id);
    // What fails now is tried again with the next change.
    if (isContested && waiting.length === 0) void this.announce(open).catch(() => undefined);
  }

  /**
   * Has the open conflicts of a draft announced as a decision: by a contested save, which deciding sends. A draft that
   * saves wait for has one already, or gets one from them.
   */
  announce(open: OpenDraft, contest: Partial<GuideContest> = {}): Promise<void> {
    const announcing =
      this.#announcing.get(open) ??
      this.#announce(open, contest).finally(() => this.#announcing.delete(open));
    this.#announcing.set(open, announcing);
    return announcing;
  }

  async #announce(open: OpenDraft, contest: Partial<GuideContest>): Promise<void> {
    const { outbox, environment } = this.#core.held();
    const { base } = open.draft;
    if (base === null || open.draft.conflicts.length === 0 || this.openSaves(open.id).length > 0) return;
    open.markSaved(true);
    await open.flush();
    const content = open.draft.content();
    const guideid = String(base.guideid);
    const save: GuideSave = {
      saveId: environment.uuid(),
      base,
      before: contentOf(base),
      content,
      contest: {
        merges: [],
        mine: contestedWords(open.draft.conflicts),
        mineAt: environment.now(),
        theirsAt: base.modified_date * 1000,
        ...contest,
      },
    };
    await outbox.add([
      {
        kind: 'guide-save',
        lane: `guide:${guideid}`,
        method: 'PATCH',
        path: `/guides/${guideid}`,
        query: { revisionid: String(base.revisionid) },
        body: guideEditBody(base, content) ?? {},
        target: { collection: 'guides', id: guideid },
        subject: base.title,
        context: save,
        state: 'conflict',
      },
    ]);
  }

  /**
   * Takes over the server's version when no save of this draft waits any more, as what the last save became. A draft
   * with unsaved edits that contradict it stays on its base: its save will meet the contradiction and ask the person.
   * Where its last save brought the contradiction about, it is announced at once.
   */
  #takeOver(open: OpenDraft, record: Mirrored<'guides'>): void {
    const { draft } = open;
    const waiting = this.openSaves(open.id);
    if (waiting.some((call) => call.state !== 'conflict')) return;
    if (this.awaitedSaves(open).some((call) => appliesOnTop(call, record.seq))) return;
    const after = open.sentIds().at(-1);
    const isContested = waiting.length > 0;
    if (after === undefined && !isContested && draft.isDirty() && contradicts(draft, record.facts)) return;
    draft.rebase(record.facts, isContested ? undefined : after);
    open.markSaved(isContested);
    this.#tell();
    if (!draft.isDirty() && !isContested) this.#clean(open);
  }

  /** Takes what is stored of a draft away: the server's version holds all of it. */
  #clean(open: OpenDraft): void {
    // What stays stored because the app ends now follows the server again at the next start.
    const cleaning = open
      .tidy()
      .catch(() => undefined)
      .finally(() => this.#cleaning.delete(cleaning));
    this.#cleaning.add(cleaning);
  }

  /** Saves of a guide that the server does not have. */
  openSaves(guideid: string): OutboxCall[] {
    return this.#core.outbox
      .about('guides', guideid)
      .filter((call) => guideSaveOf(call) !== undefined && call.state !== 'done');
  }

  /** Saves of a draft that the server has, and that the draft does not know yet as the server made them. */
  awaitedSaves(open: OpenDraft): OutboxCall[] {
    const awaited = new Set(open.sentIds());
    return this.#core.outbox
      .about('guides', open.id)
      .filter((call) => call.state === 'done' && awaited.has(guideSaveOf(call)?.saveId ?? ''));
  }

  #drop(open: OpenDraft): void {
    this.#release(open);
    this.#tell();
  }

  #release(open: OpenDraft): void {
    this.#following.get(open.id)?.unsubscribe();
    this.#following.delete(open.id);
    if (this.#open.get(open.id) === open) this.#open.delete(open.id);
    open.close();
  }

  #tell(): void {
    this.#state.next(new Map(this.#open));
  }
}

/** What a person is told of a draft that cannot be read. */
export const unreadableWords =
  'This app cannot read the draft of this guide: a newer version wrote it, or it is damaged. It is kept. Update the app, or export it and ask for support.';

function lost(id: string, error: unknown): string {
  if (error instanceof UnreadableDraft) return id;
  throw error;
}

const editedElsewhere =
  'Guides are being edited in another window of this app. Go on there, or close that window and try again.';

const noDraft =
  'There is no draft of this guide any more. If you can no longer see the guide, your words are kept under Sync.';

/** Whether two guides with one number are not the same guide: after a restore the number may be another one's (OUTBOX-34). */
function isOther(one: GuideFacts | null, other: GuideFacts): boolean {
  return one?.uid !== undefined && other.uid !== undefined && one.uid !== other.uid;
}

/** Whether two versions with one number are the same: after a restore the number may name another one. */
export function isSameVersion(one: GuideFacts, other: GuideFacts): boolean {
  return one.revisionid === other.revisionid && sameValue(contentOf(one), contentOf(other));
}

function contradicts(draft: GuideDraft, theirs: GuideFacts): boolean {
  if (draft.base === null) return false;
  return mergeGuide(contentOf(draft.base), draft.content(), contentOf(theirs)).conflicts.length > 0;
}
