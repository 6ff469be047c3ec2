import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import type { Course } from '#shared/model/course.ts';
import type { TrainingModule } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { courseText } from '#desktop/renderer/text/en/courses.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { Assignments } from './assignments.tsx';
import { DeleteButton } from './delete-button.tsx';
import { FromServer } from './from-server.tsx';
import { blankStage, stageToSend, typedStage, type TypedStage } from './typed-stage.ts';
import { StageFields } from './stage-fields.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

interface Plan {
  course: Course | null;
  modules: TrainingModule[];
}

/** A course: its stages and assignments. */
export function PlanScreen({ courseid }: { courseid: number | null }) {
  const read = useCallback((actions: Actions) => readPlan(actions, courseid), [courseid]);
  const plan = useServerValue(read);
  return (
    <TrainingPage title={plan.value?.course?.title ?? courseText.make}>
      <FromServer from={plan}>
        {({ course, modules }) => (
          <>
            <CourseForm course={course} modules={modules} />
            {course !== null && <Assignments course={course} />}
          </>
        )}
      </FromServer>
    </TrainingPage>
  );
}

async function readPlan(actions: Actions, courseid: number | null): Promise<Plan> {
  const [courses, modules] = await Promise.all([actions.listCourses(), actions.listModules()]);
  return { course: courses.find((one) => one.courseid === courseid) ?? null, modules };
}

function CourseForm({ course, modules }: { course: Course | null; modules: TrainingModule[] }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState(course?.title ?? '');
  const [description, setDescription] = useState(course?.description ?? '');
  const [stages, setStages] = useState<TypedStage[]>(course?.stages.map(typedStage) ?? [blankStage()]);
  const isWhole = title.trim() !== '' && stages.every(({ docid }) => docid !== null);
  const save = () =>
    act(async () => {
      const sent = { title: title.trim(), description, stages: stages.flatMap(stageToSend) };
      const saved = await actions.saveCourse(course?.courseid ?? null, sent);
      setStages(saved.stages.map(typedStage));
      showToast(courseText.saved);
      actions.syncNow();
      if (course === null) navigate(`/training/plans/${saved.courseid}`);
    });
  return (
    <section className={classNames(styles, 'sheet')} aria-label={courseText.stages}>
      <TextField label={courseText.name} value={title} onChange={setTitle} isRequired />
      <TextField label={courseText.description} kind="long" value={description} onChange={setDescription} />
      <Stages stages={stages} modules={modules} onChange={setStages} />
      <div className={classNames(styles, 'bar')}>
        <Button onPress={() => setStages((now) => [...now, blankStage()])}>{courseText.addStage}</Button>
        {course !== null && <RemoveCourse courseid={course.courseid} title={title} />}
        <Button tone="primary" onPress={save} isPending={busy} isDisabled={!isWhole}>
          {courseText.save}
        </Button>
      </div>
    </section>
  );
}

interface StagesProps {
  stages: readonly TypedStage[];
  modules: TrainingModule[];
  onChange: (make: (now: TypedStage[]) => TypedStage[]) => void;
}

function Stages({ stages, modules, onChange }: StagesProps) {
  return (
    <ol>
      {stages.map((stage, index) => (
        <StageFields
          key={stage.key}
          number={index + 1}
          stage={stage}
          modules={modules}
          onChange={(change) =>
            onChange((now) => now.map((one) => (one.key === stage.key ? { ...one, ...change } : one)))
          }
          onRemove={() => onChange((now) => now.filter(({ key }) => key !== stage.key))}
          {...(index > 0 && {
            onUp: () => onChange((now) => now.with(index - 1, stage).with(index, now[index - 1] ?? stage)),
          })}
        />
      ))}
    </ol>
  );
}

function RemoveCourse({ courseid, title }: { courseid: number; title: string }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  return (
    <DeleteButton
      words={courseText.remove}
      title={courseText.removeTitle(title)}
      hint={courseText.removeHint}
      tone="danger"
      onDelete={async () => {
        await actions.removeCourse(courseid);
        showToast(courseText.removed);
        actions.syncNow();
        navigate('/training/plans');
      }}
    />
  );
}
