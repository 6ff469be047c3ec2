import { combineLatest, distinctUntilChanged, filter, firstValueFrom, map, Subscription } from 'rxjs';

import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { heldBy, HomeChanged } from '#desktop/engine/platform/held.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import type { MissingName } from '#desktop/engine/journal/damage.ts';
import type { DraftManager } from '../editing/draft-manager.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { errorFacts } from '#desktop/engine/account/log-work.ts';
import { NamedMedia } from '../media/named.ts';
import type { MediaCache } from '../media/queue.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Sources } from '../records/sources.ts';
import {
  aboutOf,
  isBasedOn,
  isComment,
  stripped,
  uidOf,
  wordsOfCall,
} from '#desktop/engine/outbox/about-call.ts';
import type { About } from '#desktop/engine/outbox/kinds/kind.ts';
import { LostDrafts } from './lost-drafts.ts';
import { isAbout, type KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { regain } from './regain.ts';

interface Deps {
  core: Core;
  sources: Sources;
  drafts: DraftManager;
  media: MediaCache;
}

/** Whether a guide or page is gone; `uid`: what names it for ever, where that is known. */
type IsLost = (about: About, uid: string | undefined) => boolean;

/**
 * Takes out of the device what the signed-in person may no longer see, apart from their own words, and gives these back
 * for a decision when they see it again. The leading tab alone does so. Rules LEAVING-1, LEAVING-4 to LEAVING-6 and LEAVING-8 of README.md.
 */
export class Leaving {
  readonly #deps: Deps;
  readonly #lostDrafts: LostDrafts;
  readonly #subscriptions = new Subscription();
  #sweeping: Promise<void> = Promise.resolve();
  #isWanted = false;
  /** Calls about what left that were being sent when the last sweep met them. */
  #underWay: ReadonlySet<string> = new Set();
  /** What names the guides and pages of the present sweep, by collection and number; two after a restore. */
  readonly #uids = new Map<string, Set<string>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#lostDrafts = new LostDrafts(deps);
    const { core, drafts } = deps;
    const isSettled = combineLatest([core.sync.leads, core.sync.state]).pipe(
      map(([leads, { phase }]) => leads && phase !== 'first-sync'),
      distinctUntilChanged(),
      filter(Boolean),
    );
    this.#subscriptions.add(isSettled.subscribe(() => this.#want()));
    const moved = core.mirror.arrived.pipe(
      filter((rows) => rows.some(({ c }) => c === 'guides' || c === 'wikis')),
    );
    this.#subscriptions.add(moved.subscribe(() => this.#want()));
    this.#subscriptions.add(core.leaving.rebuilt.subscribe(() => this.#regain()));
    this.#subscriptions.add(drafts.loaded.subscribe(() => this.#keepUnshown()));
    // What was being sent when its guide left comes back refused.
    const refused = core.outbox.calls.pipe(
      map((calls) => calls.filter(({ refusal }) => refusal?.status === 404).length),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(refused.subscribe((count) => count > 0 && this.#want()));
    this.#subscriptions.add(core.outbox.calls.subscribe(() => this.#lookAtReturned()));
  }

  /** A call that is not being sent any more may wait for its next turn, or for a person. */
  #lookAtReturned(): void {
    const { outbox } = this.#deps.core;
    if ([...this.#underWay].some((id) => outbox.get(id)?.state !== 'sending')) this.#want();
  }

  /** Looks again at what left and at what came back. */
  look(): void {
    this.#want();
  }

  /** Resolves when what is known to have left is gone. */
  settled(): Promise<void> {
    return this.#sweeping;
  }

  /** Takes an edit of a draft whose guide left among the kept words; false: no such draft was lost. */
  editLost(guideid: string, operation: GuideEditOperation): Promise<boolean> {
    return this.#lostDrafts.edit(guideid, operation);
  }

  async close(): Promise<void> {
    this.#subscriptions.unsubscribe();
    await this.#sweeping;
  }

  #want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#run('sweep-failed', (deps) => {
      this.#isWanted = false;
      return this.#sweep(deps);
    });
  }

  /** Runs after what runs already, in the home that is open then. What fails is tried again with the next rows, and at the next start. */
  #run(failed: string, run: (deps: Deps) => Promise<void>): void {
    const { log } = this.#deps.core;
    this.#sweeping = this.#sweeping.then(async () => {
      const deps = heldDeps(this.#deps);
      const home = deps.core.work.home();
      await run(deps).catch((error: unknown) => {
        // Whoever has left may have removed their home.
        if (!(error instanceof HomeChanged)) log.note({ home, what: failed, facts: errorFacts(error) });
      });
    });
  }

  /** Gives kept words back. What is not here yet right after a restore has not left: it may be about to be made again. */
  #regain(): void {
    this.#run('regain-failed', async (deps) => {
      const { core, drafts } = deps;
      if (!(await firstValueFrom(core.sync.leads))) return;
      await drafts.ready();
      const history = await core.leaving.history();
      if (history !== null) await regain(deps, history);
    });
  }

  /**
   * Keeps the words of decisions that cannot be shown, since they have no draft that can be read (LEAVING-8). The draft of a guide
   * that the server is to make again may still stand under its old number.
   */
  #keepUnshown(): void {
    this.#run('decisions-not-kept', async ({ core, drafts, sources }) => {
      if (!(await firstValueFrom(core.sync.leads))) return;
      await drafts.ready();
      const history = (await core.leaving.history()) ?? '';
      const contested = core.outbox
        .present()
        .filter((call) => call.state === 'conflict' && guideSaveOf(call) !== undefined)
        .map(({ target }) => sources.resolve(target.id));
      const unshown = [...new Set(contested)].filter(
        (id) => !id.startsWith('tmp:') && drafts.find(id) === undefined,
      );
      // The later ones first, as when a guide leaves.
      for (const call of unshown.flatMap((id) => drafts.openSaves(id)).toReversed()) {
        const kept = this.#keptOf(call, { collection: 'guides', id: call.target.id }, history, false);
        if (kept !== null) await core.leaving.keep([kept]);
        await core.outbox.remove(call.id);
      }
      if (unshown.length > 0) this.#regain();
    });
  }

  async #sweep(deps: Deps): Promise<void> {
    const { core, drafts } = deps;
    if (!(await firstValueFrom(core.sync.leads))) return;
    await drafts.ready();
    const history = await core.leaving.history();
    if (history === null) return;
    const calls = await firstValueFrom(core.outbox.calls);
    const sent = await core.leaving.sentCalls();
    const open = [...(await firstValueFrom(drafts.drafts)).values()];
    const isLost = await this.#whatIsLost(deps, [...calls, ...sent], open);
    this.#noteUids([...calls, ...sent], open);
    const left = [
      ...(await this.#loseDrafts(open, isLost, history)),
      ...(await this.#loseCalls(deps, calls, isLost, history)),
      ...(await this.#loseSent(deps, sent, isLost, history)),
      ...(await this.#loseNames(deps)),
    ];
    if (left.length > 0) await core.leaving.mark();
    // What was only read leaves media alone behind.
    await core.leaving.dropMedia(() => dropMedia(deps));
    if (left.length > 0) await core.leaving.purge();
    await regain(deps, history);
  }

  /** Learns which guides and pages calls and drafts are about: a comment names its guide by number alone. */
  #noteUids(calls: readonly OutboxCall[], drafts: readonly OpenDraft[]): void {
    this.#uids.clear();
    const note = (about: About | null, uid: string | undefined): void => {
      if (about === null || uid === undefined) return;
      const key = this.#keyOf(about);
      this.#uids.set(key, (this.#uids.get(key) ?? new Set()).add(uid));
    };
    for (const call of calls) note(aboutOf(call), uidOf(call).uid);
    for (const { id, draft } of drafts) note({ collection: 'guides', id }, draft.base?.uid);
  }

  /** What names the guide or page of a call for ever, where that is known. */
  #uidOf(call: OutboxCall, about: About): { uid?: string } {
    const own = uidOf(call);
    const [uid, ...others] = this.#uids.get(this.#keyOf(about)) ?? [];
    return own.uid !== undefined || uid === undefined || others.length > 0 ? own : { uid };
  }

  #keyOf({ collection, id }: About): string {
    return `${collection}/${this.#deps.sources.resolve(id)}`;
  }

  /**
   * Which guides and pages that calls and drafts are about are gone. So is one whose number belongs to another since a
   * restore.
   */
  async #whatIsLost(
    { core, sources }: Deps,
    calls: readonly OutboxCall[],
    drafts: readonly OpenDraft[],
  ): Promise<IsLost> {
    const based = new Set<string>();
    const named = { guides: new Set<string>(), wikis: new Set<string>() };
    const note = ({ collection, id }: About, isBased: boolean): void => {
      const real = sources.resolve(id);
      if (real.startsWith('tmp:')) return;
      named[collection].add(real);
      if (isBased) based.add(`${collection}/${real}`);
    };
    for (const call of calls) {
      const about = aboutOf(call);
      if (about !== null) note(about, isBasedOn(call));
    }
    for (const { id, draft } of drafts) note({ collection: 'guides', id }, draft.base !== null);
    const lost = new Set<string>();
    const here = new Map<string, string>();
    for (const collection of ['guides', 'wikis'] as const) {
      const { removed, absent, uids } = await core.leaving.whereabouts(collection, [...named[collection]]);
      for (const id of removed) lost.add(`${collection}/${id}`);
      // What the server has not told of yet was made here; what this device had been given is gone.
      for (const id of absent) if (based.has(`${collection}/${id}`)) lost.add(`${collection}/${id}`);
      for (const [id, uid] of uids) here.set(`${collection}/${id}`, uid);
    }
    return ({ collection, id }, uid) => {
      const key = `${collection}/${sources.resolve(id)}`;
      return lost.has(key) || !isAbout({ uid }, { uid: here.get(key) });
    };
  }

  async #loseDrafts(open: readonly OpenDraft[], isLost: IsLost, history: string): Promise<string[]> {
    const gone = open.filter(({ id, draft }) => isLost({ collection: 'guides', id }, draft.base?.uid));
    for (const one of gone) await this.#lostDrafts.lose(one, history);
    return gone.map(({ id }) => id);
  }

  async #loseCalls(
    { core }: Deps,
    calls: readonly OutboxCall[],
    isLost: IsLost,
    history: string,
  ): Promise<string[]> {
    const changed: string[] = [];
    const underWay = new Set<string>();
    // The later ones first: a call that goes hands its revision to the one that follows it.
    for (const call of calls.toReversed()) {
      const about = aboutOf(call);
      if (about === null || !isLost(about, uidOf(call).uid) || call.state === 'done') continue;
      if (core.outbox.get(call.id)?.state === 'sending') {
        underWay.add(call.id);
        continue;
      }
      const kept = this.#keptOf(call, about, history, false);
      if (kept !== null) {
        await core.leaving.keep([kept]);
        await core.outbox.remove(call.id);
        changed.push(call.id);
        continue;
      }
      const bare = stripped(call);
      if (bare === call) continue;
      await core.outbox.strip(call.id, bare);
      // Its turn may have come first.
      if (core.outbox.get(call.id)?.state === 'sending') underWay.add(call.id);
      changed.push(call.id);
    }
    this.#underWay = underWay;
    this.#lookAtReturned();
    return changed;
  }

  /** What the server took is on the server; its words are kept for the case that the server forgets them. */
  async #loseSent(
    { core }: Deps,
    sent: readonly OutboxCall[],
    isLost: IsLost,
    history: string,
  ): Promise<string[]> {
    const changes = new Map<string, OutboxCall | null>();
    const kept: KeptWords[] = [];
    for (const call of sent) {
      const about = aboutOf(call);
      if (about === null || !isLost(about, uidOf(call).uid) || call.kind === 'guide-create') continue;
      const words = isComment(call) ? null : this.#keptOf(call, about, history, true);
      if (words !== null) {
        kept.push(words);
        changes.set(call.id, null);
      } else if (stripped(call) !== call) changes.set(call.id, stripped(call));
    }
    await core.leaving.keep(kept);
    await core.leaving.rewriteSent(changes);
    return [...changes.keys()];
  }

  /** What is told of missing calls does not name what is not here. A guide of which the server has not told was made here. */
  async #loseNames({ core, sources }: Deps): Promise<string[]> {
    const own = core.work.home();
    if (own === null) return [];
    const keyOf = ({ collection, id }: About): string => `${collection}/${sources.resolve(id)}`;
    const names = await core.session.missingNames(own);
    const gone = new Set<string>();
    for (const collection of ['guides', 'wikis'] as const) {
      const ids = names.flatMap(({ about }) =>
        about?.collection === collection ? [sources.resolve(about.id)] : [],
      );
      const asked = ids.filter((id) => !id.startsWith('tmp:'));
      const { removed, absent } = await core.leaving.whereabouts(collection, asked);
      for (const id of [...removed, ...absent]) gone.add(`${collection}/${id}`);
    }
    const isGone = ({ home, about }: MissingName): boolean =>
      home === own && about !== null && gone.has(keyOf(about));
    return (await core.session.forgetNames(isGone)) ? ['damage'] : [];
  }

  #keptOf(call: OutboxCall, about: About, history: string, isOnServer: boolean): KeptWords | null {
    const words = wordsOfCall(call);
    if (words === undefined) return null;
    return {
      ...keptAs(history, call.at),
      id: call.id,
      collection: about.collection,
      recordid: this.#deps.sources.resolve(about.id),
      ...this.#uidOf(call, about),
      isOnServer,
      isComment: isComment(call),
      words,
    };
  }
}

/** The same for the home that is open now (account README, ACCOUNT-11). */
function heldDeps({ core, sources, drafts, media }: Deps): Deps {
  const held = core.held();
  return {
    core: held,
    sources: { ...sources, core: held },
    drafts: heldBy(drafts, held.mustHold),
    media,
  };
}

/** Pictures, documents and videos stay while a record of any home, a draft or a waiting call names them. */
async function dropMedia({ core, drafts, media }: Deps): Promise<void> {
  const named = new NamedMedia();
  await core.homes.read((body) => named.note(body));
  for (const call of await firstValueFrom(core.outbox.calls)) named.note(JSON.stringify(call));
  for (const { draft } of (await firstValueFrom(drafts.drafts)).values())
    named.note(JSON.stringify(draft.content()));
  await media.keepOnly((key) => named.has(key));
}

function keptAs(
  history: string,
  at: number,
): Pick<KeptWords, 'version' | 'history' | 'at' | 'isOnServer' | 'isComment'> {
  return { version: 1, history, at, isOnServer: false, isComment: false };
}
