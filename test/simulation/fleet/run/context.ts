import type { RemoteServer } from '../fleet-world.ts';
import type { Ledger } from '../ledger.ts';
import type { Clock } from './clock.ts';
import type { Connections } from './connections.ts';
import type { People } from './people.ts';
import type { RunRecord } from './record.ts';

/** What the parts of a run share; each names what it needs. */
export interface RunContext {
  server: RemoteServer;
  clock: Clock;
  record: RunRecord;
  ledger: Ledger;
  people: People;
  connections: Connections;
}
