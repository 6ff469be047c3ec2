import { z } from 'zod';

/** The kinds of documents in stages of courses; more may be added. */
export const stageDoctype = z.enum(['guide', 'quiz', 'external_training_module']);
export type StageDoctype = z.infer<typeof stageDoctype>;

/** A stage of a course: one document. `passing_score`: percent; null: the document's own rule applies. */
export const courseStage = z
  .strictObject({
    course_stageid: z.int(),
    orderby: z.int(),
    title: z.string(),
    doctype: stageDoctype,
    docid: z.int(),
    passing_score: z.int().nullable(),
  })
  .meta({ id: 'CourseStage' });
export type CourseStage = z.infer<typeof courseStage>;

/** A course: stages in order (extension). */
export const course = z
  .strictObject({
    courseid: z.int(),
    title: z.string(),
    description: z.string(),
    userid: z.int(),
    created_date: z.int(),
    modified_date: z.int(),
    stages: z.array(courseStage),
  })
  .meta({ id: 'Course' });
export type Course = z.infer<typeof course>;

/**
 * The assignment of a course to a team or a person (not in the spec); one of `teamid` and `userid` is null. `complete`:
 * all assigned people completed the course. `due_date`: UNIX seconds.
 */
export const courseAssignment = z
  .strictObject({
    course_assignmentid: z.int(),
    courseid: z.int(),
    title: z.string(),
    teamid: z.int().nullable(),
    userid: z.int().nullable(),
    due_date: z.int().nullable(),
    status: z.enum(['open', 'overdue', 'complete']),
  })
  .meta({ id: 'CourseAssignment' });
export type CourseAssignment = z.infer<typeof courseAssignment>;

/** The completion of a stage by a person. `score`: percent, if the document has a score. */
export const stageCompletion = z
  .strictObject({
    course_assignment_stage_completionid: z.int(),
    course_stageid: z.int(),
    score: z.number().nullable(),
    date: z.int(),
  })
  .meta({ id: 'StageCompletion' });
export type StageCompletion = z.infer<typeof stageCompletion>;

/** The progress of a person in a course that is assigned to them. */
export const courseProgress = z
  .strictObject({
    courseid: z.int(),
    userid: z.int(),
    completed_date: z.int().nullable(),
    stages: z.array(stageCompletion),
  })
  .meta({ id: 'CourseProgress' });
export type CourseProgress = z.infer<typeof courseProgress>;

/** A course of the caller with their progress. `due_date`: the earliest of their assignments. */
export const ownCourse = z
  .strictObject({ course, due_date: z.int().nullable(), progress: courseProgress })
  .meta({ id: 'OwnCourse' });
export type OwnCourse = z.infer<typeof ownCourse>;
