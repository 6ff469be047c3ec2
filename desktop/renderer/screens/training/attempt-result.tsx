import { useLocation } from 'wouter';

import type { Attempt } from '#desktop/engine/api/training-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { Answers } from './answers.tsx';
import { AttemptMark } from './attempt-marks.tsx';
import { attemptHref } from './attempt-row.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

/** The result of an attempt. */
export function AttemptResult({ attempt }: { attempt: Attempt }) {
  const { title, state, results, guideid, quizid } = attempt;
  return (
    <TrainingPage title={title}>
      {state === 'refused' ? <Refused attempt={attempt} /> : <Verdict attempt={attempt} />}
      {results !== null && (
        <Section title={text.quizzes.answers}>
          <Answers answers={results} />
        </Section>
      )}
      <Row>
        <ButtonLink href={`/training/quizzes/${quizid}`}>{text.quizzes.toQuiz}</ButtonLink>
        {guideid !== null && <ButtonLink href={`/guides/${guideid}`}>{text.quizzes.toGuide}</ButtonLink>}
        <ButtonLink href="/training">{text.quizzes.toCourses}</ButtonLink>
      </Row>
    </TrainingPage>
  );
}

function Verdict({ attempt }: { attempt: Attempt }) {
  const { state, score, passingScore } = attempt;
  return (
    <div className={classNames(styles, 'verdict')} role="status">
      <AttemptMark attempt={{ ...attempt, score: null }} />
      {score !== null && <p className={classNames(styles, 'score')}>{text.quizzes.scored(score)}</p>}
      <Note>{hintOf(state, score, passingScore)}</Note>
    </div>
  );
}

function hintOf(state: Attempt['state'], score: number | null, passingScore: number): string {
  if (state === 'waiting') return text.quizzes.waitingHint;
  if (state === 'cancelled') return text.quizzes.endHint;
  return score === null ? text.quizzes.unscored : text.quizzes.scoredHint(score, passingScore);
}

/** The server refused the attempt: its reason, and the actions. The answers stay on this device. */
function Refused({ attempt: { refusal } }: { attempt: Attempt }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  if (refusal === null) return null;
  return (
    <Notice
      tone="danger"
      title={text.quizzes.refusedTitle}
      action={
        <Row>
          <ButtonLink href="/sync">{text.app.sync}</ButtonLink>
          <Button
            tone="primary"
            isPending={busy}
            onPress={() => act(async () => navigate(attemptHref(await actions.handInAnew(refusal.callid))))}
          >
            {text.quizzes.handInAnew}
          </Button>
        </Row>
      }
    >
      {refusedWords(refusal.message, 'invalid')}
    </Notice>
  );
}
