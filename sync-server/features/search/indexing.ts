import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { areWordsWaiting, indexWaiting } from '#server/storage/search-entries.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** The indexing run in progress, which concurrent callers wait for. */
    indexing: { running: Promise<void> | null };
  }
}

/** Delay of indexing after a write if nobody searches, ms. Edits within this time are indexed together. */
const restMs = 1000;

/** Indexes all waiting words in short transactions. Afterwards every earlier write can be found. */
export async function indexAll(services: Services): Promise<void> {
  const { storage, indexing } = services;
  while (await areWordsWaiting(storage.reader)) {
    indexing.running ??= storage
      .write(ownOrigin(services, 'index words'), (tx) => indexWaiting(tx))
      .finally(() => (indexing.running = null));
    await indexing.running;
  }
}

/** Indexes soon after each write, without keeping the process alive. Returns a function that stops it. */
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
