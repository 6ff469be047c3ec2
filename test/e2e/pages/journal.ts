import { tabChannel } from '#desktop/engine/journal/channel.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openOpfsStore } from '#desktop/engine/journal/opfs.ts';
import { openSharedJournal } from '#desktop/engine/journal/shared-journal.ts';

declare global {
  interface Window {
    journal: Promise<Journal>;
    /** Appends `from`, `from + 1`, … without end, and reports each number to the test once it is saved. */
    appendForever(from: number): void;
    acknowledge(number: number): Promise<void>;
  }
}

window.journal = openSharedJournal({
  name: 'e2e',
  locks: navigator.locks,
  channel: tabChannel(new BroadcastChannel('journal')),
  openStore: () => openOpfsStore('e2e'),
  deps: { now: () => Date.now(), uuid: () => crypto.randomUUID() },
});

window.appendForever = (from) => void append(from);

async function append(from: number): Promise<void> {
  const journal = await window.journal;
  for (let number = from; ; number += 1) {
    const value = { number, text: 'x'.repeat(2000) };
    await journal.append([{ op: 'put', collection: 'outbox', id: String(number), value }]);
    void window.acknowledge(number);
  }
}
