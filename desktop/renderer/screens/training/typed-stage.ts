import { formatDigits, typedNumber } from '#desktop/renderer/text/format.ts';
import type { NewStage } from '#shared/api/courses.ts';
import type { CourseStage, StageDoctype } from '#shared/model/course.ts';

/** A stage in the form. */
export interface TypedStage {
  key: string;
  course_stageid: number | null;
  doctype: StageDoctype;
  /** Null: nothing chosen yet. */
  docid: number | null;
  title: string;
  /** Percentage as typed; empty: the document's own passing score. */
  passing: string;
}

/** A new stage. */
export function blankStage(): TypedStage {
  return {
    key: crypto.randomUUID(),
    course_stageid: null,
    doctype: 'guide',
    docid: null,
    title: '',
    passing: '',
  };
}

/** The form contents for an existing stage. */
export function typedStage({
  course_stageid,
  doctype,
  docid,
  title,
  passing_score,
}: CourseStage): TypedStage {
  const passing = passing_score === null ? '' : formatDigits(passing_score);
  return { key: String(course_stageid), course_stageid, doctype, docid, title, passing };
}

/** The stage for the server; none if no document is chosen. The server refuses invalid percentages. */
export function stageToSend({ course_stageid, doctype, docid, title, passing }: TypedStage): NewStage[] {
  if (docid === null) return [];
  return [
    {
      ...(course_stageid === null ? {} : { course_stageid }),
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      doctype,
      docid,
      passing_score: passing.trim() === '' ? null : typedNumber(passing),
    },
  ];
}
