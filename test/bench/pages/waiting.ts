import { createActions } from '#desktop/engine/actions/index.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import { createViews } from '#desktop/engine/views/index.ts';

import { when } from '../when.ts';

/** Blocks of the main thread, ms: all tasks of more than 50 ms, and the longest of them. */
export interface Held {
  all: number;
  longest: number;
}

declare global {
  interface Window {
    waiting: {
      /** Opens the engine; resolves with ms until the sync state shows `pending` calls. */
      open(pending: number): Promise<{ ms: number; held: Held }>;
      signIn(server: string, email: string): Promise<void>;
      /** Adds comments on these guides in turn; resolves with ms. */
      fill(count: number, guideids: readonly number[]): Promise<number>;
      /** ms until the activity list is shown. */
      list(): Promise<number>;
      /** Sends everything; ms since the start at which each of `parts` equal parts was sent. */
      send(parts: number): Promise<{ at: number[]; held: Held }>;
      close(): Promise<void>;
    };
  }
}

const chunk = 500;
const words =
  'The belt of this machine had worn out, so that I turned it, tightened both screws and ran it. ';

let opened: { core: Core; close: () => Promise<void> } | null = null;
let held: Held = { all: 0, longest: 0 };
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries())
    held = { all: held.all + duration, longest: Math.max(held.longest, duration) };
}).observe({ entryTypes: ['longtask'] });

function core(): Core {
  if (opened === null) throw new Error('Open the engine first');
  return opened.core;
}

function comment(index: number, guideid: number): NewCall {
  const id = crypto.randomUUID();
  return {
    id,
    kind: 'comment-add',
    lane: `comment:${id}`,
    method: 'POST',
    path: `/comments/guide/${guideid}`,
    body: { text: `${words}${words}${index}` },
    target: { collection: 'comments', id: `tmp:${id}` },
    subject: 'Belt',
    context: {
      guideid: String(guideid),
      context: 'guide',
      contextid: String(guideid),
      replyTo: null,
    },
  };
}

window.waiting = {
  async open(pending) {
    held = { all: 0, longest: 0 };
    const began = performance.now();
    opened = await openCore(pagePlatform({ defaultServer: location.origin }));
    createActions(opened.core);
    await when(createViews(opened.core).syncState(), (state) => state.pending === pending);
    return { ms: performance.now() - began, held };
  },
  async signIn(server, email) {
    await createActions(core()).signIn(server, email, 'a long password');
    await when(
      createViews(core()).syncState(),
      ({ phase, lastSyncedAt }) => phase === 'idle' && lastSyncedAt !== null,
    );
  },
  async fill(count, guideids) {
    const began = performance.now();
    for (let from = 0; from < count; from += chunk) {
      const size = Math.min(chunk, count - from);
      await core().outbox.add(
        Array.from({ length: size }, (_, index) =>
          comment(from + index, guideids[(from + index) % guideids.length] ?? 1),
        ),
      );
    }
    return performance.now() - began;
  },
  async list() {
    const began = performance.now();
    await when(createViews(core()).activity(), (items) => items.length > 0);
    return performance.now() - began;
  },
  async send(parts) {
    held = { all: 0, longest: 0 };
    const views = createViews(core());
    const whole = core()
      .outbox.present()
      .filter(({ state }) => state !== 'done').length;
    const at: number[] = [];
    core().sync.now();
    await when(views.syncState(), ({ connection }) => connection === 'online');
    const began = performance.now();
    await when(views.syncState(), ({ pending }) => {
      while (at.length < parts && pending <= whole - ((at.length + 1) * whole) / parts)
        at.push(performance.now() - began);
      return at.length === parts;
    });
    return { at, held };
  },
  async close() {
    await opened?.close();
    opened = null;
  },
};
