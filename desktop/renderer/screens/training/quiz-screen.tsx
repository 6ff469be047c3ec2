import { useLocation } from 'wouter';

import type { Quiz, QuizUse } from '#desktop/engine/api/training-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { attemptHref, AttemptRow } from './attempt-row.tsx';
import { QuizGone, TrainingPage, useManages } from './training-page.tsx';

/**
 * A quiz before it is started, with earlier attempts.
 *
 * - TRAINING-UI-2 Authors take a quiz as everybody does; its answers, and deleting it, are on a page of their own.
 */
export function QuizScreen({ place }: { place: QuizUse }) {
  const quiz = useLive('quiz', place);
  const manages = useManages();
  if (quiz === null) return <QuizGone title={text.training.sections.quizzes} />;
  return (
    <TrainingPage
      title={quiz.title}
      lead={`${text.quizzes.questions(quiz.questions)} · ${text.quizzes.passingScore(quiz.passingScore)}`}
      actions={
        <>
          {manages && (
            <ButtonLink tone="quiet" href={`/training/quizzes/${place.quizid}/manage`}>
              {text.quizzes.manage}
            </ButtonLink>
          )}
          <QuizActions quiz={quiz} place={place} />
        </>
      }
    >
      <Section title={text.quizzes.attempts}>
        {quiz.attempts.length === 0 && <Note>{text.quizzes.noAttempts}</Note>}
        <RowList>
          {quiz.attempts.map((attempt) => (
            <AttemptRow key={attempt.sessionid} attempt={attempt} name={formatDate(attempt.startedAt)} />
          ))}
        </RowList>
      </Section>
    </TrainingPage>
  );
}

function QuizActions({ quiz, place }: { quiz: Quiz; place: QuizUse }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const { latest } = quiz;
  const begin = () => act(async () => navigate(attemptHref(await actions.beginQuiz(place))));
  const words = latest === null ? text.quizzes.begin : text.quizzes.again;
  if (latest?.state === 'open')
    return (
      <>
        <Button onPress={begin} isPending={busy}>
          {text.quizzes.beginAnew}
        </Button>
        <ButtonLink tone="primary" href={attemptHref(latest.sessionid)}>
          {text.quizzes.goOn}
        </ButtonLink>
      </>
    );
  return (
    <Button tone="primary" onPress={begin} isPending={busy}>
      {words}
    </Button>
  );
}
