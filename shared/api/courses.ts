import { z } from 'zod';

import { course, courseAssignment, courseProgress, ownCourse, stageDoctype } from '#shared/model/course.ts';

import { del, get, idText, limit, offset, patch, post } from './endpoint.ts';

const courseId = z.strictObject({ courseid: idText });
const assignmentId = z.strictObject({ courseid: idText, course_assignmentid: idText });
const extension = true;

const title = z.string().trim().min(1).max(200);
const description = z.string().max(10_000);

/**
 * A stage in a request body. With the `course_stageid` of an existing stage, it replaces that stage and keeps its
 * completions.
 */
const stage = z.strictObject({
  course_stageid: z.int().positive().optional(),
  title: title.optional(),
  doctype: stageDoctype,
  docid: z.int().positive(),
  passing_score: z.int().min(0).max(100).nullable().default(null),
});
export type NewStage = z.output<typeof stage>;
const stages = z.array(stage).max(200);

export const newCourse = z.strictObject({
  title,
  description: description.default(''),
  stages: stages.default([]),
});
export type NewCourse = z.output<typeof newCourse>;

export const courseEdit = z.strictObject({ title, description, stages }).partial();
export type CourseEdit = z.output<typeof courseEdit>;

export const newAssignment = z
  .strictObject({
    teamid: z.int().positive().optional(),
    userid: z.int().positive().optional(),
    due_date: z.int().positive().nullable().default(null),
  })
  .refine((body) => (body.teamid === undefined) !== (body.userid === undefined), {
    message: 'Name a team or a person',
    path: ['teamid'],
  })
  .meta({ examples: [{ teamid: 4, due_date: 1_798_761_600 }] });
export type NewAssignment = z.output<typeof newAssignment>;

/** Courses: stages of guides, quizzes and modules, assigned to teams and people (extensions). */
export const courses = {
  list: get('/courses', {
    summary: 'List courses: all for those who manage them, else those the caller is to take',
    query: z.object({ limit, offset }),
    result: z.array(course),
    extension,
  }),
  create: post('/courses', {
    summary: 'Make a course',
    status: 201,
    body: newCourse,
    result: course,
    refuses: [400, 403],
    extension,
  }),
  read: get('/courses/{courseid}', {
    summary: 'Read a course',
    params: courseId,
    result: course,
    extension,
  }),
  patch: patch('/courses/{courseid}', {
    summary: 'Change a course; stages that are sent replace all, one with its id is kept',
    params: courseId,
    body: courseEdit,
    result: course,
    tagged: course,
    extension,
  }),
  remove: del('/courses/{courseid}', {
    summary: 'Delete a course with its assignments and what people did in it',
    status: 204,
    params: courseId,
    tagged: course,
    extension,
  }),
  assignments: get('/courses/{courseid}/assignments', {
    summary: 'List who is to take a course',
    params: courseId,
    result: z.array(courseAssignment),
    refuses: [403, 404],
    extension,
  }),
  assign: post('/courses/{courseid}/assignments', {
    summary: 'Give a course to a team or a person',
    status: 201,
    params: courseId,
    body: newAssignment,
    result: courseAssignment,
    extension,
  }),
  unassign: del('/courses/{courseid}/assignments/{course_assignmentid}', {
    summary: 'Take a course from a team or a person; what they did in it stays',
    status: 204,
    params: assignmentId,
    extension,
  }),
  completions: get('/courses/{courseid}/completions', {
    summary: 'List how far the people are who are to take a course',
    params: courseId,
    query: z.object({ limit, offset }),
    result: z.array(courseProgress),
    refuses: [403, 404],
    extension,
  }),
  own: get('/user/courses', {
    summary: 'List the courses that the caller is to take, with how far they are',
    result: z.array(ownCourse),
    extension,
  }),
};
