import type { TabChannel } from './channel.ts';
import { JournalClient } from './client.ts';
import { serveJournal } from './host.ts';
import type { Journal } from './journal.ts';
import { type JournalDeps, openJournal } from './local-journal.ts';
import { type JournalStore, toJournalError } from './store.ts';

export interface SharedJournalOptions {
  /** Names the journal: tabs with the same name share one. */
  name: string;
  locks: Pick<LockManager, 'request'>;
  channel: TabChannel;
  /** Opens the store; called only in the tab that leads. */
  openStore(): Promise<JournalStore>;
  deps: JournalDeps;
}

/**
 * The journal that all tabs of this name share. Whoever holds the lock holds the store; the other tabs send their
 * calls there, and one of them takes over when it goes.
 * @throws JournalError `unavailable` when this tab leads and the store cannot be opened
 */
export async function openSharedJournal(options: SharedJournalOptions): Promise<Journal> {
  const { channel, deps } = options;
  const who = deps.uuid();
  const closing = new AbortController();
  const leave = async (): Promise<void> => {
    closing.abort();
    await leading.catch(() => undefined);
  };
  const client = new JournalClient(channel, who, () => deps.uuid(), leave);
  const lead = async (): Promise<void> => {
    const journal = await openJournal(await options.openStore(), deps);
    client.lead(journal);
    const stop = serveJournal(journal, channel, who);
    await aborted(closing.signal);
    stop();
    await journal.close();
  };
  const leading = options.locks.request(
    `benchbook-journal-${options.name}`,
    { signal: closing.signal },
    lead,
  );
  leading.catch((error: unknown) => {
    if (!closing.signal.aborted) client.fail(toJournalError(error));
  });
  try {
    await Promise.race([client.ready, leading]);
  } catch (error) {
    await client.close();
    throw toJournalError(error);
  }
  return client;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
