import type { Trap } from '../plan.ts';
import { textIn, type Asked, type Chunk, type Reply } from '../wire.ts';
import { SessionNotes } from './session-notes.ts';

/** The network of a device, as the run sees it. */
export class Connection {
  /** The number of the device. */
  readonly device: number;
  readonly notes = new SessionNotes();
  /** Who is signed in at the device. */
  person: number | null;
  /** The faults of its next requests. */
  traps: Trap[] = [];
  /** The request at which the device is suspended; `answer`: null before it reaches the server. */
  suspended: { asked: Asked; answer: Reply | null } | null = null;
  /** When it learns that another server answers at its server's address, virtual ms; null: it sent no request. */
  hearsOther: number | null = null;
  readonly #inbox: Chunk[] = [];

  constructor(device: number, person: number) {
    this.device = device;
    this.person = person;
  }

  /** Takes the fault of this request, if any. */
  trapFor({ method, url }: Asked): Trap | null {
    const { pathname } = new URL(url);
    for (const trap of this.traps) {
      if (trap.on === 'batch' && !pathname.endsWith('/batch')) continue;
      if (trap.on === 'pull' && !pathname.endsWith('/pull')) continue;
      if (trap.on === 'upload' && !(method === 'POST' && /\/(?:user\/media|uploads)\b/.test(pathname)))
        continue;
      if (trap.skip > 0) {
        trap.skip -= 1;
        continue;
      }
      trap.count -= 1;
      if (trap.count <= 0) this.traps = this.traps.filter((one) => one !== trap);
      return trap;
    }
    return null;
  }

  /** Data of a stream of the device arrives. */
  hear(chunk: Chunk): void {
    this.#inbox.push(chunk);
    this.notes.noteResults(textIn(chunk.bytes));
  }

  /** Takes the data that arrived since the last call. */
  heard(): Chunk[] {
    return this.#inbox.splice(0);
  }
}
