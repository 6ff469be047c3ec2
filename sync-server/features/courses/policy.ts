import { forbidden, notFound } from '#shared/api/problem.ts';
import type { Course } from '#shared/model/course.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { isAssigned, mustFindCourse } from './course-rows.ts';

/** Throws 403 unless the caller may manage courses. */
export function mustManageCourses(ctx: Context): void {
  if (!can(ctx.viewer, 'course.manage', null)) throw forbidden('Only authors manage courses', editors);
}

/**
 * The course; throws 404 if the caller may not see it.
 *
 * - COURSE-1 Authors of the site manage courses. Others see only courses that are assigned to them; all others are 404.
 */
export async function mustSeeCourse(ctx: Context, courseid: number): Promise<Course> {
  const course = await mustFindCourse(ctx.db, courseid);
  const isAssignedToViewer = await isAssigned(ctx.db, ctx.viewer.userid, courseid);
  if (!can(ctx.viewer, 'course.see', { isAssigned: isAssignedToViewer })) throw notFound('Course');
  return course;
}

/** The course; throws 404 if the caller may not see it, 403 if they may not manage it. */
export async function mustManageCourse(ctx: Context, courseid: number): Promise<Course> {
  const course = await mustSeeCourse(ctx, courseid);
  mustManageCourses(ctx);
  return course;
}
