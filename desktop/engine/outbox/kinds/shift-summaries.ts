import { z } from 'zod';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { CallKindSpec } from './kind.ts';

/** What a summary is about. `from`, `to`: UNIX seconds. */
export interface ShiftContext {
  teamid: number;
  from: number;
  to: number;
  note: string;
}

/** The context of a call that makes a summary; undefined for any other call. */
export function shiftContextOf({ kind, context }: OutboxCall): ShiftContext | undefined {
  return kind === 'shift-summary' ? (context as ShiftContext) : undefined;
}

/**
 * Calls that make a shift summary.
 *
 * - SHIFT-5 A summary is made offline: the call waits with its note, and the server computes the summary when it arrives. A
 *   refused call is kept with its note until the person sends it again or discards it.
 */
export const shiftKinds = {
  'shift-summary': {
    activity: 'shift',
    context: z
      .looseObject({ teamid: z.number(), from: z.number(), to: z.number(), note: z.string() })
      .partial(),
    hasOwnName: true,
    creates: 'shiftSummaries',
    detail: () => 'made',
  },
} satisfies Record<string, CallKindSpec>;
