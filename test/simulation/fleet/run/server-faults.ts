import { must } from '#shared/must.ts';
import { protocolRange } from '#shared/sync/protocol.ts';

import type { ServerFault } from '../plan.ts';
import { wordsIn } from '../words.ts';
import type { RunContext } from './context.ts';
import type { Losses } from './losses.ts';
import type { KeysOfAll, StationKeys } from './station-keys.ts';

/** How long a device remembers sent calls for a restored server (outbox README, OUTBOX-14), virtual ms. */
const sentLife = 90 * 24 * 60 * 60_000;

/** Words and passwords at a backup. */
interface Backup {
  words: ReadonlySet<string>;
  passwords: ReadonlyMap<number, string>;
  keys: KeysOfAll;
}

/** Faults of the server, and the backup from which it is restored. */
export class ServerFaults {
  readonly #context: RunContext;
  readonly #losses: Losses;
  readonly #keys: StationKeys;
  /** The newest one. */
  #backup: Backup | null = null;
  /** Number of requests that find no server. */
  #goneFor = 0;
  #isOther = false;
  #isFull = false;
  #speaksNewer = false;

  constructor(context: RunContext, losses: Losses, keys: StationKeys) {
    this.#context = context;
    this.#losses = losses;
    this.#keys = keys;
  }

  /** Whether another server answers at the address. */
  get isOther(): boolean {
    return this.#isOther;
  }

  /** Whether people without a device can change records. */
  get acceptsChanges(): boolean {
    return !this.#isOther && !this.#isFull;
  }

  /** Whether the next request finds no server. */
  missesRequest(): boolean {
    if (this.#goneFor === 0) return false;
    this.#goneFor -= 1;
    return true;
  }

  async apply(fault: ServerFault, picks: readonly number[]): Promise<void> {
    const { server, record, connections } = this.#context;
    const isRestore = fault === 'restore-files' || fault === 'restore-command';
    if (this.#isOther || (isRestore && this.#backup === null)) return;
    record.countFault(null, fault);
    record.say(`server: ${fault}`);
    switch (fault) {
      case 'restart':
        return connections.hear(await server.restart());
      case 'gone':
        this.#goneFor = 1 + ((picks[0] ?? 0) % 20);
        return;
      case 'disk-full':
        this.#isFull = true;
        return server.fill(true);
      case 'other-server':
        this.#isOther = true;
        return connections.hear(await server.swap());
      case 'newer-protocol':
        this.#speaksNewer = true;
        return connections.hear(await server.speak({ oldest: 7, newest: 8 }));
      case 'restore-files':
        return this.#restore('files');
      case 'restore-command':
        return this.#restore('command');
    }
  }

  /** Ends the faults. */
  async mend(): Promise<void> {
    const { server, connections } = this.#context;
    this.#goneFor = 0;
    if (this.#isOther) connections.hear(await server.swap());
    if (this.#isFull) await server.fill(false);
    if (this.#speaksNewer) connections.hear(await server.speak(protocolRange));
    this.#isOther = false;
    connections.forgetOther();
    this.#isFull = false;
    this.#speaksNewer = false;
  }

  async backUp(): Promise<void> {
    if (!this.acceptsChanges) return;
    const { server, record, people } = this.#context;
    record.say('back-up');
    await server.backUp();
    const { documents, past, tags } = await server.stored();
    const words = [...documents.map(({ body }) => body), ...past, ...tags].flatMap(wordsIn);
    this.#backup = { words: new Set(words), passwords: people.passwords(), keys: this.#keys.now };
  }

  async #restore(how: 'command' | 'files'): Promise<void> {
    const { server, clock, ledger, people, connections } = this.#context;
    const { words, passwords, keys } = must(this.#backup, 'a backup');
    await this.mend();
    connections.hear(await server.restore(how));
    ledger.noteRestore(words, clock.now);
    ledger.forgetPlain(words);
    ledger.forgetMarks(clock.now);
    ledger.forgetSent(words, clock.now - sentLife);
    this.#losses.noteRestore();
    people.restorePasswords(passwords);
    this.#keys.restore(keys);
  }
}
