import type { NewStage } from '#shared/api/courses.ts';
import type { CourseStage, StageDoctype } from '#shared/model/course.ts';

/** A stage as it is being written. */
export interface TypedStage {
  key: string;
  course_stageid: number | null;
  doctype: StageDoctype;
  /** Null: nothing chosen yet. */
  docid: number | null;
  title: string;
  /** Percent as it is typed; empty: the document's own rule. */
  passing: string;
}

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

export function typedStage({
  course_stageid,
  doctype,
  docid,
  title,
  passing_score,
}: CourseStage): TypedStage {
  const passing = passing_score === null ? '' : String(passing_score);
  return { key: String(course_stageid), course_stageid, doctype, docid, title, passing };
}

/** A stage as the server takes it; none while nothing is chosen. What is no percentage is for the server to refuse. */
export function stageToSend({ course_stageid, doctype, docid, title, passing }: TypedStage): NewStage[] {
  if (docid === null) return [];
  return [
    {
      ...(course_stageid === null ? {} : { course_stageid }),
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      doctype,
      docid,
      passing_score: passing.trim() === '' ? null : Number(passing),
    },
  ];
}
