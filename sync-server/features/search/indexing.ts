import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { areWordsWaiting, indexWaiting } from '#server/storage/search-entries.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Words that are being indexed: who comes meanwhile waits for the same ones. */
    indexing: { running: Promise<void> | null };
  }
}

/** Words that nobody searches meanwhile are indexed so long after a write: the edits of that time count once. */
const restMs = 1000;

/** Indexes all words that wait, in short transactions; from then on what was written before is found. */
export async function indexAll(services: Services): Promise<void> {
  const { storage, indexing } = services;
  while (await areWordsWaiting(storage.reader)) {
    indexing.running ??= storage
      .write(ownOrigin(services, 'index words'), (tx) => indexWaiting(tx))
      .finally(() => (indexing.running = null));
    await indexing.running;
  }
}

/** Indexes what waits soon after each write, without keeping the process alive. Returns what ends it. */
export function indexRegularly(services: Services): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const index = (): void => {
    timer = undefined;
    last = indexAll(services).catch((error: unknown) =>
      services.log.error({ err: error }, 'words could not be indexed'),
    );
  };
  const soon = (): void => {
    timer ??= setTimeout(index, restMs).unref();
  };
  const stopListening = services.bus.listen(soon);
  soon();
  return async () => {
    stopListening();
    clearTimeout(timer);
    await last;
  };
}
