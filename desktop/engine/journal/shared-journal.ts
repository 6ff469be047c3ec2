import { callJournal } from './calls.ts';
import type { TabChannel } from './channel.ts';
import { JournalClient } from './client.ts';
import type { Journal } from './journal.ts';
import { type JournalDeps, openJournal } from './local-journal.ts';
import { type JournalStore, toJournalError } from './store.ts';

/** What a shared journal needs. */
export interface SharedJournalOptions {
  /** Names the journal: tabs with the same name share one. */
  name: string;
  locks: Pick<LockManager, 'request'>;
  channel: TabChannel;
  /** Opens the store. Called only in the leading tab. */
  openStore(): Promise<JournalStore>;
  deps: JournalDeps;
}

/**
 * Opens the journal that all tabs share. The tab that holds the lock leads and holds the store. The other tabs send
 * their calls to it, and one of them takes over when it closes.
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

/** Answers the calls of other tabs with `journal`. `leader` names this tab. Returns a function that ends this. */
export function serveJournal(journal: Journal, channel: TabChannel, leader: string): () => void {
  const announce = (): void => channel.post({ kind: 'leader', leader, health: journal.health() });
  const stopWatching = journal.watchHealth(announce);
  const stopListening = channel.listen((message) => {
    if (message.kind === 'who leads') announce();
    if (message.kind !== 'call') return;
    const { who, id, call, args } = message;
    callJournal(journal, call, args).then(
      (result) => channel.post({ kind: 'result', who, id, result }),
      (thrown: unknown) => {
        const { kind, message: text } = toJournalError(thrown);
        channel.post({ kind: 'refusal', who, id, error: { kind, message: text } });
      },
    );
  });
  announce();
  return () => {
    stopWatching();
    stopListening();
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
