import type { Ledger } from '../ledger.ts';
import type { DeviceFault } from '../plan.ts';

type Store = 'journal' | 'databases' | 'both';

/** Which stores of each device were damaged, and which work nobody has any more because the server lost it too. */
export class Losses {
  readonly #ledger: Ledger;
  readonly #damaged = new Map<number, Store>();
  #wasRestored = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Records a fault of a device; false: it must not happen, because the other store is damaged already. */
  note(device: number, fault: DeviceFault): boolean {
    const store = damagedBy(fault);
    if (store === null) return true;
    const before = this.#damaged.get(device);
    if (before !== undefined && before !== store) return false;
    this.#damaged.set(device, store);
    this.#forgiveDoubleLoss(device, store);
    return true;
  }

  /** The server was restored. */
  noteRestore(): void {
    this.#wasRestored = true;
    for (const [device, store] of this.#damaged) this.#forgiveDoubleLoss(device, store);
  }

  /** Whether both stores of a device were damaged: the app must report unreadable work. */
  hasBoth(device: number): boolean {
    return this.#damaged.get(device) === 'both';
  }

  /** Calls that the server lost are repeated only from the journal: if both are lost, nobody has them. */
  #forgiveDoubleLoss(device: number, store: Store): void {
    if (this.#wasRestored && store !== 'databases')
      this.#ledger.forgiveDevice(device, 'lost by server and journal');
  }
}

/** The store that a fault damages; null: neither. */
function damagedBy(fault: DeviceFault): Store | null {
  if (fault === 'lose-both') return 'both';
  if (fault === 'lose-journal' || fault === 'flip-journal') return 'journal';
  return fault === 'lose-databases' || fault === 'database-full' ? 'databases' : null;
}
