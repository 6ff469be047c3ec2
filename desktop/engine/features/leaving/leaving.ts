import { combineLatest, distinctUntilChanged, filter, firstValueFrom, map, Subscription } from 'rxjs';

import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import { heldBy, HomeChanged } from '#desktop/engine/platform/held.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { errorFacts } from '#desktop/engine/account/log-work.ts';
import { CallWords } from './call-words.ts';
import { LostDrafts } from './lost-drafts.ts';
import { regain } from './regain.ts';
import { Sweep, type SweepDeps } from './sweep.ts';

/**
 * Removes from the device what the signed-in person may no longer see, except their own words, and puts these up for
 * decision when the person sees the guide or page again. Only the leading tab does this. Rules LEAVING-1, LEAVING-4 to
 * LEAVING-6 and LEAVING-8 of README.md.
 */
export class Leaving {
  readonly #deps: SweepDeps;
  readonly #words: CallWords;
  readonly #lostDrafts: LostDrafts;
  readonly #sweep: Sweep;
  readonly #subscriptions = new Subscription();
  /** Settles with the last task of the queue. */
  #tasks: Promise<void> = Promise.resolve();
  /** Whether a sweep is queued that has not begun. */
  #isWanted = false;

  constructor(deps: SweepDeps) {
    this.#deps = deps;
    this.#words = new CallWords(deps.sources.resolve);
    this.#lostDrafts = new LostDrafts(deps);
    this.#sweep = new Sweep({
      words: this.#words,
      lostDrafts: this.#lostDrafts,
      foundUnderWay: () => this.#lookAtReturned(),
    });
    const { core, drafts } = deps;
    const isSettled = combineLatest([core.sync.leads, core.sync.state]).pipe(
      map(([leads, { phase }]) => leads && phase !== 'first-sync'),
      distinctUntilChanged(),
      filter(Boolean),
    );
    this.#subscriptions.add(isSettled.subscribe(() => this.look()));
    const moved = core.mirror.arrived.pipe(filter((rows) => rows.some(mayLeave)));
    this.#subscriptions.add(moved.subscribe(() => this.look()));
    this.#subscriptions.add(core.leaving.rebuilt.subscribe(() => this.#regain()));
    this.#subscriptions.add(drafts.loaded.subscribe(() => this.#keepUnshown()));
    // A call that was being sent while its guide was removed comes back refused.
    const refused = core.outbox.calls.pipe(
      map((calls) => calls.filter(({ refusal }) => refusal?.status === 404).length),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(refused.subscribe((count) => count > 0 && this.look()));
    this.#subscriptions.add(core.outbox.calls.subscribe(() => this.#lookAtReturned()));
  }

  /** Sweeps soon: removes what the person may no longer see, and gives back what they see again. */
  look(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#run('sweep-failed', (deps) => {
      this.#isWanted = false;
      return this.#sweep.run(deps);
    });
  }

  /** Resolves when what is known to be lost is removed. */
  settled(): Promise<void> {
    return this.#tasks;
  }

  /** Adds an edit of a draft whose guide was lost to the kept words. False if no such draft was lost. */
  editLost(guideid: string, operation: GuideEditOperation): Promise<boolean> {
    return this.#lostDrafts.edit(guideid, operation);
  }

  async close(): Promise<void> {
    this.#subscriptions.unsubscribe();
    await this.#tasks;
  }

  /** Sweeps when a call is no longer being sent: it now waits for its next turn, or for a person. */
  #lookAtReturned(): void {
    const { outbox } = this.#deps.core;
    if ([...this.#sweep.underWay].some((id) => outbox.get(id)?.state !== 'sending')) this.look();
  }

  /**
   * Queues a task. It runs in the home that is open then. A failure is logged as `failed`; the task is repeated when
   * rows arrive, and at the next start.
   */
  #run(failed: string, run: (deps: SweepDeps) => Promise<void>): void {
    const { log } = this.#deps.core;
    this.#tasks = this.#tasks.then(async () => {
      const deps = heldDeps(this.#deps);
      const home = deps.core.work.home();
      await run(deps).catch((error: unknown) => {
        // A person who signed out may have removed their home.
        if (!(error instanceof HomeChanged)) log.note({ home, what: failed, facts: errorFacts(error) });
      });
    });
  }

  /**
   * Puts kept words up for decision again. Does not sweep: right after a restore, a record that is not here yet may be
   * about to be created again.
   */
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
   * Keeps the words of decisions that cannot be shown because no readable draft exists (LEAVING-8). Guides with a
   * temporary id are skipped: while the server creates a guide again, its draft may still have the old number.
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
      // Later calls first, as in a sweep.
      for (const call of unshown.flatMap((id) => drafts.openSaves(id)).toReversed()) {
        const about = { collection: 'guides', id: call.target.id } as const;
        const kept = this.#words.keptOf(call, about, history, false);
        if (kept !== null) await core.leaving.keep([kept]);
        await core.outbox.removeKept(call.id);
      }
      if (unshown.length > 0) this.#regain();
    });
  }
}

/** Whether a row may remove a record of which drafts, forms or calls say something. */
function mayLeave({ c, removed }: FeedRow): boolean {
  return (
    c === 'guides' ||
    c === 'wikis' ||
    (removed === true && (c === 'deviations' || c === 'plannedOrders' || c === 'workLog'))
  );
}

/** The same services, limited to the home that is open now (account README, ACCOUNT-11). */
function heldDeps({ core, sources, drafts, forms, media }: SweepDeps): SweepDeps {
  const held = core.held();
  return {
    core: held,
    sources: { ...sources, core: held },
    drafts: heldBy(drafts, held.mustHold),
    forms: heldBy(forms, held.mustHold),
    media,
  };
}
