import type { DeviceFault, Trap } from '../plan.ts';
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
  /** The account of the station that the device is; null: the device is a person's. */
  reader: string | null = null;
  /** Called with each reply. */
  onReply: (asked: Asked, reply: Reply) => void = () => undefined;
  /** Called with each fault of the device. */
  onFault: (fault: DeviceFault) => void = () => undefined;
  /** Called when the app dies. */
  onDeath: () => void = () => undefined;
  /** Called when the device goes offline: a response on its way may be lost. */
  onOffline: () => void = () => undefined;
  /** When it learns that another server answers at its server's address, virtual ms; null: it sent no request. */
  hearsOther: number | null = null;
  readonly #inbox: Chunk[] = [];

  constructor(device: number, person: number | null) {
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
