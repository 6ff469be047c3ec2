import { type Observable, map } from 'rxjs';

import type { CourseFacts, ProgressFacts } from '#shared/model/training-facts.ts';

import type { Sources } from '../features/records/sources.ts';
import { trainingState } from '../features/records/training-state.ts';
import type { CourseCard } from '../api/training-records.ts';

/** The courses of the person: open ones first, those due soonest first. */
export function courses(sources: Sources): Observable<CourseCard[]> {
  return trainingState(sources).pipe(
    map(({ records }) => {
      const facts = records.map((record) => record.facts);
      const progress = new Map(
        facts.flatMap((one) => (one.kind === 'progress' ? [[one.courseid, one] as const] : [])),
      );
      return facts
        .flatMap((one) => (one.kind === 'course' ? [one] : []))
        .map((course) => {
          const dates = facts.flatMap((one) =>
            one.kind === 'assignment' && one.courseid === course.courseid && one.due_date !== null
              ? [one.due_date * 1000]
              : [],
          );
          return cardOf(course, progress.get(course.courseid), dates);
        })
        .toSorted(byUrgency);
    }),
  );
}

function cardOf(
  { courseid, title, description, stages }: CourseFacts,
  progress: ProgressFacts | undefined,
  dates: number[],
): CourseCard {
  const done = new Map((progress?.stages ?? []).map((stage) => [stage.course_stageid, stage]));
  const completed = progress?.completed_date ?? null;
  return {
    courseid,
    title,
    description,
    dueAt: dates.length === 0 ? null : Math.min(...dates),
    completedAt: completed === null ? null : completed * 1000,
    stages: stages.map(({ course_stageid, title: name, doctype, docid, passing_score }) => {
      const completion = done.get(course_stageid);
      return {
        course_stageid,
        title: name,
        doctype,
        docid,
        passingScore: passing_score,
        doneAt: completion === undefined ? null : completion.date * 1000,
        score: completion?.score ?? null,
      };
    }),
  };
}

function byUrgency(a: CourseCard, b: CourseCard): number {
  const isDone = Number(a.completedAt !== null) - Number(b.completedAt !== null);
  const due = (a.dueAt ?? Number.MAX_SAFE_INTEGER) - (b.dueAt ?? Number.MAX_SAFE_INTEGER);
  return isDone || due || a.title.localeCompare(b.title);
}
