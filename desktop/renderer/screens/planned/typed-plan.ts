import { z } from 'zod';

import { priorities } from '#shared/model/planned-orders.ts';

import { repeatNames, type PlanForm } from './plan-form.ts';

/** The fields of a plan that the planner typed (FORM-6). */
export type TypedPlan = Partial<PlanForm>;

/** The same, as it is stored until the order is planned. */
export const typedPlan: z.ZodType<TypedPlan> = z.object({
  workorderid: z.string().exactOptional(),
  guideid: z.string().nullable().exactOptional(),
  guideWords: z.string().exactOptional(),
  releaseid: z.number().nullable().exactOptional(),
  who: z.string().nullable().exactOptional(),
  day: z.string().exactOptional(),
  time: z.string().exactOptional(),
  priority: z.enum(priorities).exactOptional(),
  serials: z.string().exactOptional(),
  note: z.string().exactOptional(),
  repeat: z.enum(repeatNames).exactOptional(),
} satisfies Record<keyof PlanForm, z.ZodType>);

/** A file with plans, as it is stored until they are planned; null: none is chosen. */
export interface TypedCsv {
  csv: string | null;
}

export const typedCsv: z.ZodType<TypedCsv> = z.object({ csv: z.string().nullable() });
