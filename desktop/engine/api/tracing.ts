import type { WorkRecord } from '#shared/model/work-record.ts';

import type { DeviationView } from './deviation-records.ts';
import type { Live } from './engine.ts';

/** What is traced: a serial or lot number, or a revision of a guide by the number that people count. */
export type TraceKey = { number: string } | { guideid: string; revision: number };

/** A work order that was found. */
export interface TracedOrder {
  /** The server's number, or `tmp:…`. */
  entryid: string;
  record: WorkRecord;
  deviations: readonly DeviationView[];
  /** Something of it is not on the server yet. */
  pending: boolean;
  /** As in `WorkOrder`; of an order that is not on this device, nothing is known of stations. */
  stations?: readonly string[];
}

/** A page of work orders, newest first. `total`: number of all that this person may see. */
export interface TracedPage {
  orders: readonly TracedOrder[];
  total: number;
}

/** Live reads of what is on this device. */
export interface TracingViews {
  /** The work orders on this device that belong to a key, newest first. */
  tracedHere(key: TraceKey): Live<readonly TracedOrder[]>;
  /** Numbers on this device that begin with a text, at most ten. */
  numbersHere(prefix: string): Live<readonly string[]>;
  /** Whether the last order on a guide that this device knows has serial or lot numbers. */
  namesSerials(guideid: string): Live<boolean>;
}

/** Reads from the server. They need the network: each throws the `Problem` of the server. */
export interface TracingActions {
  /** The work orders that belong to a key, from the `offset`th on. */
  trace(key: TraceKey, offset: number): Promise<TracedPage>;
  /** Numbers that begin with a text, at most ten. */
  suggestNumbers(prefix: string): Promise<readonly string[]>;
}
