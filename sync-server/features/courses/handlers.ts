import { courses } from '#shared/api/courses.ts';
import { can } from '#server/features/can.ts';
import { mustUserid } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { assignCourse, assignmentsOfCourse, mustFindAssignment, removeAssignment } from './assignments.ts';
import { mustFindCourse } from './course-rows.ts';
import { mustManageCourse, mustManageCourses, mustSeeCourse } from './policy.ts';
import { ownCourses, progressOfCourse } from './progress.ts';
import { createCourse, editCourse, listCourses, removeCourse } from './store.ts';

/**
 * Courses: ordered lists of stages, each about a guide, a quiz or an external training module, assigned to teams and
 * people.
 *
 * - COURSE-7 A repeated call takes effect once.
 */
export const courseHandlers = handle(
  courses,
  {
    list: ({ query }, ctx) =>
      listCourses(ctx, query, can(ctx.viewer, 'course.manage', null) ? null : mustUserid(ctx)),
    create: {
      allow: (_, ctx) => mustManageCourses(ctx),
      run: async ({ body }, ctx) => {
        const courseid = await createCourse(ctx, body);
        return ctx.respondWithRecord('course', courseid, mustFindCourse(ctx.db, courseid));
      },
    },
    read: ({ params }, ctx) => mustSeeCourse(ctx, params.courseid),
    patch: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: async ({ params: { courseid }, body }, ctx) => {
        await editCourse(ctx, courseid, body);
        return ctx.respondWithRecord('course', courseid, mustFindCourse(ctx.db, courseid));
      },
    },
    remove: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: ({ params }, ctx) => removeCourse(ctx, params.courseid),
    },
    assignments: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: ({ params }, ctx) => assignmentsOfCourse(ctx, params.courseid),
    },
    assign: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: async ({ params, body }, ctx) => {
        const course = await mustFindCourse(ctx.db, params.courseid);
        const course_assignmentid = await assignCourse(ctx, course, body);
        const assignment = mustFindAssignment(ctx, course_assignmentid);
        return ctx.respondWithRecord('courseAssignment', course_assignmentid, assignment);
      },
    },
    unassign: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: ({ params }, ctx) => removeAssignment(ctx, params.courseid, params.course_assignmentid),
    },
    completions: {
      allow: async ({ params }, ctx) => void (await mustManageCourse(ctx, params.courseid)),
      run: ({ params, query }, ctx) => progressOfCourse(ctx, params.courseid, query),
    },
    own: (_, ctx) => ownCourses(ctx),
  },
  {
    course: (ctx, id) => mustManageCourse(ctx, Number(id)),
    courseAssignment: (ctx, id) => {
      mustManageCourses(ctx);
      return mustFindAssignment(ctx, Number(id));
    },
  },
);
