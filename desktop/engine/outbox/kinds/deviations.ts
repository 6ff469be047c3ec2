import { z } from 'zod';

import type { Disposition } from '#shared/model/deviations.ts';
import type { WorkDataValue } from '#shared/model/work-log.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { CallKindSpec } from './kind.ts';

/** Context of a report: enough to show the deviation before it comes from the server. */
export interface DeviationContext {
  entryid: string;
  workorderid: string;
  guideid: string;
  stepid: string;
  title: string;
  note: string;
  value?: WorkDataValue;
  /** Temporary ids of pictures. */
  images: readonly string[];
  /** Of a decision. */
  decision?: { disposition: Disposition; reason: string };
}

/** The context of a call about a deviation; undefined for any other call. */
export function deviationContextOf({ kind, context }: OutboxCall): DeviationContext | undefined {
  return kind === 'deviation-report' || kind === 'deviation-decide'
    ? (context as DeviationContext)
    : undefined;
}

const deviation = {
  activity: 'deviation',
  context: z
    .looseObject({ entryid: z.string(), workorderid: z.string(), guideid: z.string(), title: z.string() })
    .partial(),
  hasOwnName: true,
  about: (call) => {
    const guideid = deviationContextOf(call)?.guideid;
    return guideid === undefined ? null : { collection: 'guides', id: guideid };
  },
  // It is about a work order, which its people see without the guide too: it waits on and is sent (LEAVING-5).
  strip: (call) => call,
} as const satisfies Partial<CallKindSpec>;

/** A decision without the number of the work order. */
function withoutNumber(call: OutboxCall): OutboxCall {
  const about = deviationContextOf(call);
  const context = about === undefined ? call.context : { ...about, workorderid: '' };
  return { ...call, subject: '', context };
}

/**
 * Calls that report a deviation, or decide about one.
 *
 * - DEVIATION-6 Deviations are reported and decided offline. A decision that arrives too late is kept, with words that say
 *   why, until the person decides again: the newer decision replaces it.
 */
export const deviationKinds = {
  'deviation-report': {
    ...deviation,
    creates: 'deviations',
    detail: () => 'report',
    fileLost: 'A picture of this deviation is not on the server. Report it again with the picture.',
  },
  'deviation-decide': {
    ...deviation,
    detail: (call) => deviationContextOf(call)?.decision?.disposition ?? '',
    stripRecord: withoutNumber,
    join: (last, incoming) =>
      last.kind === 'deviation-decide' ? { put: [incoming], drop: [last.id], result: incoming } : null,
    conflict: () => ({
      action: 'park',
      message:
        'The deviation changed before this decision arrived: it was measured again, or somebody else decided. Open it and decide again.',
    }),
  },
} satisfies Record<string, CallKindSpec>;
