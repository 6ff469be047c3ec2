import { forbidden, notFound } from '#shared/api/problem.ts';
import type { Course } from '#shared/model/course.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { isAssigned, mustFindCourse } from './course-rows.ts';

/** 403 for those who do not manage courses. */
export function mustManageCourses(ctx: Context): void {
  if (!can(ctx.viewer, 'course.manage', null)) throw forbidden('Only authors manage courses', editors);
}

/** The course; 404 when there is none, or none that the caller is to take. */
export async function mustSeeCourse(ctx: Context, courseid: number): Promise<Course> {
  const course = await mustFindCourse(ctx.db, courseid);
  const isAssignedToViewer = await isAssigned(ctx.db, ctx.viewer.userid, courseid);
  if (!can(ctx.viewer, 'course.see', { isAssigned: isAssignedToViewer })) throw notFound('Course');
  return course;
}

/** The course; 404 when the caller does not see it, 403 when they only take it. */
export async function mustManageCourse(ctx: Context, courseid: number): Promise<Course> {
  const course = await mustSeeCourse(ctx, courseid);
  mustManageCourses(ctx);
  return course;
}
