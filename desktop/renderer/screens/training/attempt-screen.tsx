import { ListChecks } from 'lucide-react';
import { lazy, useMemo, useState } from 'react';
import { useLocation } from 'wouter';

import { surveyFlaw } from '#shared/rules/survey-flaws.ts';
import type { Attempt } from '#desktop/engine/api/training-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AttemptResult } from './attempt-result.tsx';
import { QuizGone, TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

// Loaded on demand, because SurveyJS is as large as the rest of the app.
const SurveyForm = lazy(async () => ({ default: (await import('./survey-form.tsx')).SurveyForm }));

/** An attempt at a quiz, or its result once it is submitted. */
export function AttemptScreen({ sessionid }: { sessionid: string }) {
  const attempt = useLive('attempt', sessionid);
  if (attempt === null) return <QuizGone title={text.training.sections.results} />;
  if (attempt.state !== 'open') return <AttemptResult attempt={attempt} />;
  return <Taking attempt={attempt} />;
}

function Taking({ attempt }: { attempt: Attempt }) {
  const { quizid, guideid } = attempt;
  const quiz = useLive('quiz', { quizid, ...(guideid === null ? {} : { guideid }) });
  // Fixed at the start: neither a new version of the quiz nor saved answers change the open form.
  const [begun] = useState({ survey: quiz?.survey, answers: attempt.answers });
  const actions = useActions();
  const { act } = useAsyncAction();
  const survey = begun.survey ?? quiz?.survey;
  // The quiz may have been stored before servers began to refuse such quizzes.
  const flaw = useMemo(() => (survey === undefined ? null : surveyFlaw(survey)), [survey]);
  return (
    <TrainingPage
      title={attempt.title}
      lead={attempt.pending ? text.quizzes.saved : text.quizzes.savedServer}
      actions={<End attempt={attempt} />}
    >
      {survey === undefined ? (
        <EmptyState icon={<ListChecks />} title={text.quizzes.gone}>
          {text.quizzes.goneHint}
        </EmptyState>
      ) : flaw !== null ? (
        <EmptyState icon={<ListChecks />} title={text.quizzes.tooCostly}>
          {text.quizzes.tooCostlyHint(refusedWords(flaw))}
        </EmptyState>
      ) : (
        <div className={classNames(styles, 'taking')}>
          <SurveyForm
            survey={survey}
            answers={begun.answers}
            onSave={(answers) => act(() => actions.saveAnswers(attempt.sessionid, answers))}
            onSubmit={(answers) =>
              act(async () => {
                await actions.submitAnswers(attempt.sessionid, answers);
                showToast(text.quizzes.handedIn);
              })
            }
          />
        </div>
      )}
    </TrainingPage>
  );
}

function End({ attempt }: { attempt: Attempt }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [isAsked, setIsAsked] = useState(false);
  const end = () =>
    act(async () => {
      await actions.cancelQuiz(attempt.sessionid);
      navigate(`/training/quizzes/${attempt.quizid}`);
    });
  return (
    <>
      <Button onPress={() => setIsAsked(true)} isPending={busy}>
        {text.quizzes.end}
      </Button>
      <ConfirmDialog
        title={text.quizzes.endTitle}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        confirmLabel={text.quizzes.end}
        cancelLabel={text.quizzes.keepOn}
        onConfirm={end}
      >
        {text.quizzes.endHint}
      </ConfirmDialog>
    </>
  );
}
