import { callJournal } from './calls.ts';
import type { TabChannel } from './channel.ts';
import type { Journal } from './journal.ts';
import { toJournalError } from './store.ts';

/** Answers the calls of other tabs with `journal`; `leader` names this tab. Returns what stops it. */
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
