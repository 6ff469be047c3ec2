import { z } from 'zod';

/** The standards of packages that are recognised. */
export const trainingStandards = [
  'scorm_1.2',
  'scorm_2004_2nd',
  'scorm_2004_3rd',
  'scorm_2004_4th',
  'xapi',
  'cmi5',
  'aicc',
] as const;
export const trainingStandard = z.enum(trainingStandards);
export type TrainingStandard = z.infer<typeof trainingStandard>;

/** `created`: waits for its package. `running`: being fetched, read and unpacked. The other three are final. */
export const importStatus = z.enum(['created', 'running', 'complete', 'error', 'cancelled']);

/**
 * A training module of another vendor (not in the spec). `standard`: that of the current version, else of the draft.
 */
export const trainingModule = z
  .strictObject({
    external_training_moduleid: z.int(),
    title: z.string(),
    standard: trainingStandard.nullable(),
    userid: z.int(),
    current_importid: z.int().nullable(),
    /** Only for callers who manage modules. */
    draft_importid: z.int().nullable(),
    created_date: z.int(),
    modified_date: z.int(),
  })
  .meta({ id: 'TrainingModule' });
export type TrainingModule = z.infer<typeof trainingModule>;

/** An import of a module, which becomes a version of it when complete. `message`: what is wrong with the package. */
export const trainingImport = z
  .strictObject({
    importid: z.int(),
    external_training_moduleid: z.int(),
    vendor_version_number: z.int(),
    status: importStatus,
    standard: trainingStandard.nullable(),
    title: z.string().nullable(),
    userid: z.int(),
    init_date: z.int(),
    end_date: z.int().nullable(),
    is_current: z.boolean(),
    is_draft: z.boolean(),
    message: z.string().nullable(),
  })
  .meta({ id: 'TrainingImport' });
export type TrainingImport = z.infer<typeof trainingImport>;

/** The progress of an import. `progress`: percent. */
export const importProgress = z
  .strictObject({
    importid: z.int(),
    status: importStatus,
    progress: z.int().min(0).max(100),
    message: z.string(),
  })
  .meta({ id: 'TrainingImportProgress' });
export type ImportProgress = z.infer<typeof importProgress>;

/** The address at which a module is played: for one person and one opening, until `expires`. */
export const trainingPlayer = z
  .strictObject({
    external_training_moduleid: z.int(),
    importid: z.int(),
    title: z.string(),
    standard: trainingStandard,
    url: z.string(),
    expires: z.int(),
  })
  .meta({ id: 'TrainingPlayer' });
export type TrainingPlayer = z.infer<typeof trainingPlayer>;

/** A use of a module in a stage of a course. */
export const trainingUsage = z
  .strictObject({
    courseid: z.int(),
    title: z.string(),
    course_stageid: z.int(),
    stage_title: z.string(),
    assignments: z.int(),
  })
  .meta({ id: 'TrainingUsage' });
export type TrainingUsage = z.infer<typeof trainingUsage>;

export const completionStatus = z.enum(['not attempted', 'incomplete', 'completed']);
export const successStatus = z.enum(['unknown', 'passed', 'failed']);

/** A person's result in a version of a module. `score`: 0 to 100. */
export const trainingResult = z
  .strictObject({
    importid: z.int(),
    vendor_version_number: z.int(),
    userid: z.int(),
    completion: completionStatus,
    success: successStatus,
    score: z.number().nullable(),
    init_date: z.int(),
    modified_date: z.int(),
    completed_date: z.int().nullable(),
  })
  .meta({ id: 'TrainingResult' });
export type TrainingResult = z.infer<typeof trainingResult>;
