import { Check, GraduationCap } from 'lucide-react';

import type { CourseCard, StageCard } from '#desktop/engine/api/training-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { courseText } from '#desktop/renderer/text/en/courses.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { PlayModule } from './play-module.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

/** The courses of this person. */
export function CoursesScreen() {
  const courses = useLive('courses');
  return (
    <TrainingPage title={text.training.title} lead={courses.length > 0 && courseText.lead}>
      {courses.length === 0 ? (
        <EmptyState
          icon={<GraduationCap />}
          title={courseText.emptyTitle}
          action={<ButtonLink href="/training/quizzes">{text.training.sections.quizzes}</ButtonLink>}
        >
          {courseText.empty}
        </EmptyState>
      ) : (
        <div className={classNames(styles, 'courses')}>
          {courses.map((course) => (
            <Course key={course.courseid} course={course} />
          ))}
        </div>
      )}
    </TrainingPage>
  );
}

function Course({ course }: { course: CourseCard }) {
  const heading = `course-${course.courseid}`;
  const done = course.stages.filter(({ doneAt }) => doneAt !== null).length;
  const next = course.stages.find(({ doneAt }) => doneAt === null);
  return (
    <section className={classNames(styles, 'sheet')} aria-labelledby={heading}>
      <div className={classNames(styles, 'head')}>
        <h2 id={heading}>{course.title}</h2>
        <DueDate course={course} />
      </div>
      {course.description !== '' && <p>{course.description}</p>}
      <ProgressBar
        label={courseText.progress(done, course.stages.length)}
        value={done}
        of={course.stages.length}
      />
      <ol className={classNames(styles, 'stages')}>
        {course.stages.map((stage, index) => (
          <Stage key={stage.course_stageid} stage={stage} number={index + 1} isNext={stage === next} />
        ))}
      </ol>
    </section>
  );
}

function DueDate({ course: { dueAt, completedAt } }: { course: CourseCard }) {
  const now = useNow();
  if (completedAt !== null)
    return (
      <Badge tone="ok" look="dot">
        {courseText.completed(formatDay(completedAt))}
      </Badge>
    );
  if (dueAt === null) return null;
  return dueAt < now ? (
    <Badge tone="danger" look="dot">
      {courseText.overdue(formatDay(dueAt))}
    </Badge>
  ) : (
    <Badge>{courseText.due(formatDay(dueAt))}</Badge>
  );
}

function Stage({ stage, number, isNext }: { stage: StageCard; number: number; isNext: boolean }) {
  const isDone = stage.doneAt !== null;
  const score = stage.score === null ? '' : ` · ${text.quizzes.scored(Math.round(stage.score))}`;
  const state = isDone ? courseText.stageDone + score : isNext ? courseText.stageNext : courseText.stageOpen;
  return (
    <li className={classNames(styles, 'stage')}>
      <span className={classNames(styles, 'mark', isDone ? 'done' : isNext && 'next')} aria-hidden="true">
        {isDone ? <Check /> : number}
      </span>
      <div className={classNames(styles, 'words')}>
        <strong>{stage.title}</strong>
        <Note>{`${courseText.kinds[stage.doctype]} · ${state}`}</Note>
      </div>
      <Way stage={stage} isNext={isNext} />
    </li>
  );
}

function Way({ stage, isNext }: { stage: StageCard; isNext: boolean }) {
  const tone = isNext ? 'primary' : 'plain';
  const words = courseText.open[stage.doctype];
  switch (stage.doctype) {
    case 'guide':
      return (
        <ButtonLink tone={tone} href={`/guides/${stage.docid}`}>
          {words}
        </ButtonLink>
      );
    case 'quiz':
      return (
        <ButtonLink tone={tone} href={`/training/stages/${stage.course_stageid}/quizzes/${stage.docid}`}>
          {words}
        </ButtonLink>
      );
    case 'external_training_module':
      return <PlayModule moduleid={stage.docid} tone={tone} />;
    default:
      return stage.doctype satisfies never;
  }
}
