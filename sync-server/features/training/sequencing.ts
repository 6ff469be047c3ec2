import { z } from 'zod';

/**
 * Sequencing of a SCORM 2004 package (Sequencing and Navigation 3), with the names of the settings of scorm-again's
 * engine, which runs in the player.
 */
const rule = z.strictObject({
  action: z.string(),
  conditionCombination: z.enum(['all', 'any']),
  conditions: z.array(
    z.strictObject({
      condition: z.string(),
      operator: z.literal('not').optional(),
      referencedObjective: z.string().optional(),
      parameters: z.strictObject({ threshold: z.number() }).optional(),
    }),
  ),
});
export type SequencingRule = z.infer<typeof rule>;

const rollupRule = z.strictObject({
  ...rule.shape,
  consideration: z.enum(['all', 'any', 'none', 'atLeastCount', 'atLeastPercent']),
  minimumCount: z.number(),
  minimumPercent: z.number(),
});
export type RollupRule = z.infer<typeof rollupRule>;

const objective = z.strictObject({
  objectiveID: z.string(),
  isPrimary: z.boolean(),
  satisfiedByMeasure: z.boolean(),
  minNormalizedMeasure: z.number(),
  mapInfo: z.array(z.record(z.string(), z.union([z.string(), z.boolean()]))),
});
export type SequencedObjective = z.infer<typeof objective>;

/** Controls as set by the manifest. Missing ones have the engine's default. */
const controls = z.record(z.string(), z.union([z.boolean(), z.number(), z.string()]));
export type SequencingControls = z.infer<typeof controls>;

/** A node of the tree: the organization, a folder, or a launchable part (by its id). */
export const sequencedActivity = z.strictObject({
  id: z.string(),
  title: z.string(),
  isVisible: z.boolean(),
  attemptLimit: z.int().nullable(),
  sequencingControls: controls,
  deliveryControls: controls,
  completionThreshold: controls,
  rollupConsiderations: controls,
  sequencingRules: z.strictObject({
    preConditionRules: z.array(rule),
    exitConditionRules: z.array(rule),
    postConditionRules: z.array(rule),
  }),
  rollupRules: z.strictObject({ rules: z.array(rollupRule) }),
  primaryObjective: objective.optional(),
  objectives: z.array(objective),
  /** The player's buttons that the part hides. */
  hideLmsUi: z.array(z.string()),
  get children(): z.ZodArray<typeof sequencedActivity> {
    return z.array(sequencedActivity);
  },
});
export type SequencedActivity = z.infer<typeof sequencedActivity>;

/** The position of a learner in the tree. `engine`: the engine's serialized state. */
export const sequencingState = z.strictObject({
  engine: z.string().max(900_000),
  /** The open part; null if the module was left or has ended. */
  current: z.string().nullable(),
});
export type SequencingState = z.infer<typeof sequencingState>;

/** The state, and the result of the whole module by rollup. `score`: 0 to 1. */
export const sequencingReport = z.strictObject({
  ...sequencingState.shape,
  root: z.strictObject({
    completion: z.string(),
    success: z.string(),
    score: z.number().min(-1).max(1).nullable(),
  }),
});
export type SequencingReport = z.infer<typeof sequencingReport>;
