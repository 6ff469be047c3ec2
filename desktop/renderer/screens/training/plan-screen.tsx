import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/api.ts';
import type { Course } from '#shared/model/course.ts';
import type { TrainingModule } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { Assignments } from './assignments.tsx';
import { FromServer } from './from-server.tsx';
import { blankStage, stageToSend, typedStage, type TypedStage } from './typed-stage.ts';
import { StageFields } from './stage-fields.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

interface Plan {
  course: Course | null;
  modules: TrainingModule[];
}

/** What does the course ask for, and of whom? */
export function PlanScreen({ courseid }: { courseid: number | null }) {
  const read = useCallback((actions: Actions) => readPlan(actions, courseid), [courseid]);
  const plan = useServerValue(read);
  return (
    <TrainingPage title={plan.value?.course?.title ?? text.courses.make}>
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
  const { act, busy } = useAct();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState(course?.title ?? '');
  const [description, setDescription] = useState(course?.description ?? '');
  const [stages, setStages] = useState<TypedStage[]>(course?.stages.map(typedStage) ?? [blankStage()]);
  const [isAsked, setIsAsked] = useState(false);
  const put = (key: string, change: Partial<TypedStage>) =>
    setStages((now) => now.map((one) => (one.key === key ? { ...one, ...change } : one)));
  const isWhole = title.trim() !== '' && stages.every(({ docid }) => docid !== null);
  const save = () =>
    act(async () => {
      const sent = { title: title.trim(), description, stages: stages.flatMap(stageToSend) };
      const saved = await actions.saveCourse(course?.courseid ?? null, sent);
      setStages(saved.stages.map(typedStage));
      showToast(text.courses.saved);
      actions.syncNow();
      if (course === null) navigate(`/training/plans/${saved.courseid}`);
    });
  const remove = () =>
    act(async () => {
      if (course === null) return;
      await actions.removeCourse(course.courseid);
      showToast(text.courses.removed);
      actions.syncNow();
      navigate('/training/plans');
    });
  return (
    <section className={classNames(styles, 'sheet')} aria-label={text.courses.stages}>
      <TextField label={text.courses.name} value={title} onChange={setTitle} isRequired />
      <TextField label={text.courses.description} kind="long" value={description} onChange={setDescription} />
      <ol>
        {stages.map((stage, index) => (
          <StageFields
            key={stage.key}
            number={index + 1}
            stage={stage}
            modules={modules}
            onChange={(change) => put(stage.key, change)}
            onRemove={() => setStages((now) => now.filter(({ key }) => key !== stage.key))}
            {...(index === 0
              ? {}
              : {
                  onUp: () =>
                    setStages((now) => now.with(index - 1, stage).with(index, now[index - 1] ?? stage)),
                })}
          />
        ))}
      </ol>
      <div className={classNames(styles, 'bar')}>
        <Button onPress={() => setStages((now) => [...now, blankStage()])}>{text.courses.addStage}</Button>
        {course !== null && (
          <Button tone="danger" onPress={() => setIsAsked(true)}>
            {text.courses.remove}
          </Button>
        )}
        <Button tone="primary" onPress={save} isPending={busy} isDisabled={!isWhole}>
          {text.courses.save}
        </Button>
      </div>
      <ConfirmDialog
        title={text.courses.removeTitle(title)}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        confirmLabel={text.courses.remove}
        cancelLabel={text.app.cancel}
        onConfirm={remove}
      >
        {text.courses.removeHint}
      </ConfirmDialog>
    </section>
  );
}
