import { ListChecks } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { AttemptCard, Quiz, QuizPlace } from '#desktop/engine/views/training-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AttemptMark } from './attempt-marks.tsx';
import { ManageQuiz } from './manage-quiz.tsx';
import { TrainingPage, useManages } from './training-page.tsx';
import styles from './training.module.css';

/** Do I take it now? */
export function QuizScreen({ place }: { place: QuizPlace }) {
  const quiz = useLive('quiz', place);
  const manages = useManages();
  if (quiz === null)
    return (
      <TrainingPage title={text.training.sections.quizzes}>
        <EmptyState
          icon={<ListChecks />}
          title={text.quizzes.gone}
          action={<ButtonLink href="/training/quizzes">{text.training.sections.quizzes}</ButtonLink>}
        >
          {text.quizzes.goneHint}
        </EmptyState>
      </TrainingPage>
    );
  return (
    <TrainingPage
      title={quiz.title}
      lead={`${text.quizzes.questions(quiz.questions)} · ${text.quizzes.passingScore(quiz.passingScore)}`}
      actions={<Ways quiz={quiz} place={place} />}
    >
      <section className={classNames(styles, 'group')} aria-labelledby="attempts">
        <h2 id="attempts">{text.quizzes.attempts}</h2>
        {quiz.attempts.length === 0 ? (
          <p className={classNames(styles, 'note')}>{text.quizzes.noAttempts}</p>
        ) : (
          <ul className={classNames(styles, 'list')}>
            {quiz.attempts.map((attempt) => (
              <AttemptRow key={attempt.sessionid} attempt={attempt} name={formatDate(attempt.startedAt)} />
            ))}
          </ul>
        )}
      </section>
      {manages && <ManageQuiz quiz={quiz} />}
    </TrainingPage>
  );
}

function Ways({ quiz, place }: { quiz: Quiz; place: QuizPlace }) {
  const actions = useActions();
  const { act, busy } = useAct();
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

/** An id is a number or `tmp:…`; the router wants its colon as it is. */
export function attemptHref(sessionid: string): string {
  return `/training/attempts/${sessionid}`;
}

/** An attempt in a list; the whole row leads there. */
export function AttemptRow({ attempt, name }: { attempt: AttemptCard; name: string }) {
  return (
    <li className={classNames(styles, 'row')}>
      <span className={classNames(styles, 'words')}>
        <Link className={classNames(styles, 'link', 'name')} href={attemptHref(attempt.sessionid)}>
          {name}
        </Link>
        {attempt.pending && <span className={classNames(styles, 'note')}>{text.quizzes.saved}</span>}
      </span>
      <AttemptMark attempt={attempt} />
    </li>
  );
}
