import { z } from 'zod';

/** Categories of badges (as on live servers). */
export const badgeCategory = z.enum(['badgeGuide', 'badgeAnswers', 'badgeGeneral', 'badgeWorkbench']);
export const badgeType = z.enum(['bronze', 'silver', 'gold']);

/** Number of badges of each type that a person has earned. */
export const badgeCounts = z.strictObject({
  bronze: z.int(),
  silver: z.int(),
  gold: z.int(),
  total: z.int(),
});
export type BadgeCounts = z.infer<typeof badgeCounts>;

/**
 * A badge and how often one person earned it. `date`: when they last earned it. `num_users`: the number of people who
 * have it.
 */
export const earnedBadge = z
  .strictObject({
    earned: z.boolean(),
    times_earned: z.int(),
    date: z.int().nullable(),
    badge: z.strictObject({
      badgeid: z.int(),
      name: z.string(),
      type: badgeType,
      category: badgeCategory,
      description: z.string(),
      multiple: z.boolean(),
      num_users: z.int(),
      icon: z.null(),
      image: z.string(),
      secondary_color: z.string(),
    }),
  })
  .meta({ id: 'EarnedBadge' });
export type EarnedBadge = z.infer<typeof earnedBadge>;
