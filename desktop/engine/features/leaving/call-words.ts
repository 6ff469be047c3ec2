import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { aboutOf, isComment, uidOf, wordsOfCall } from '#desktop/engine/outbox/about-call.ts';
import type { About } from '#desktop/engine/outbox/kinds/kind.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { ResolveId } from '../records/overlay/applies.ts';

/** Makes kept words of the calls about guides and pages that the person may no longer see. */
export class CallWords {
  readonly #resolve: ResolveId;
  /** The `uid`s of guides and pages, by collection and number. After a restore a number may have two. */
  readonly #uids = new Map<string, Set<string>>();

  constructor(resolve: ResolveId) {
    this.#resolve = resolve;
  }

  /** Learns the `uid`s of the guides and pages of calls and drafts: a comment names its guide by number alone. */
  noteUids(calls: readonly OutboxCall[], drafts: readonly OpenDraft[]): void {
    this.#uids.clear();
    const note = (about: About | null, uid: string | undefined): void => {
      if (about === null || uid === undefined) return;
      const key = this.#keyOf(about);
      this.#uids.set(key, (this.#uids.get(key) ?? new Set()).add(uid));
    };
    for (const call of calls) note(aboutOf(call), uidOf(call).uid);
    for (const { id, draft } of drafts) note({ collection: 'guides', id }, draft.base?.uid);
  }

  /** The person's own words in a call, as they are kept; null when it has none. */
  keptOf(call: OutboxCall, about: About, history: string, isOnServer: boolean): KeptWords | null {
    const words = wordsOfCall(call);
    if (words === undefined) return null;
    return {
      version: 1,
      history,
      at: call.at,
      id: call.id,
      collection: about.collection,
      recordid: this.#resolve(about.id),
      ...this.#uidOf(call, about),
      isOnServer,
      isComment: isComment(call),
      words,
    };
  }

  /** The `uid` of the guide or page of a call, where it is known. */
  #uidOf(call: OutboxCall, about: About): { uid?: string } {
    const own = uidOf(call);
    const [uid, ...others] = this.#uids.get(this.#keyOf(about)) ?? [];
    return own.uid !== undefined || uid === undefined || others.length > 0 ? own : { uid };
  }

  #keyOf({ collection, id }: About): string {
    return `${collection}/${this.#resolve(id)}`;
  }
}
