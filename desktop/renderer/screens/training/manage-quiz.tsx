import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/api.ts';
import type { Quiz } from '#desktop/engine/views/training-records.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { GuideField } from './guide-field.tsx';
import { FromServer } from './from-server.tsx';
import styles from './training.module.css';

/** What authors do with a quiz: see what is correct, attach it to guides, delete it. */
export function ManageQuiz({ quiz }: { quiz: Quiz }) {
  const [showsContent, setShowsContent] = useState(false);
  return (
    <>
      <section className={classNames(styles, 'group')} aria-labelledby="attach">
        <h2 id="attach">{text.quizzes.attachTitle}</h2>
        <p className={classNames(styles, 'note')}>{text.quizzes.attachHint}</p>
        <Attach quizid={quiz.quizid} />
      </section>
      <section className={classNames(styles, 'group')} aria-labelledby="content">
        <h2 id="content">{text.quizzes.content}</h2>
        {showsContent ? (
          <Content quizid={quiz.quizid} />
        ) : (
          <Row>
            <Button onPress={() => setShowsContent(true)}>{text.quizzes.showContent}</Button>
            <Delete quiz={quiz} />
          </Row>
        )}
      </section>
    </>
  );
}

function Attach({ quizid }: { quizid: number }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [guideid, setGuideid] = useState<string | null>(null);
  const attach = (of: number | null) =>
    act(async () => {
      if (guideid === null) return;
      await actions.attachQuiz(guideid, of);
      showToast(of === null ? text.quizzes.detached : text.quizzes.attached);
    });
  return (
    <div className={classNames(styles, 'tools')}>
      <div className={classNames(styles, 'grow')}>
        <GuideField label={text.quizzes.attachGuide} onChoose={setGuideid} />
      </div>
      <Row>
        <Button onPress={() => attach(quizid)} isPending={busy} isDisabled={guideid === null}>
          {text.quizzes.attach}
        </Button>
        <Button onPress={() => attach(null)} isPending={busy} isDisabled={guideid === null}>
          {text.quizzes.detach}
        </Button>
      </Row>
    </div>
  );
}

/** The questions with their correct answers, which only the server has. */
function Content({ quizid }: { quizid: number }) {
  const read = useCallback((actions: Actions) => actions.readSurvey(quizid), [quizid]);
  const survey = useServerValue(read);
  return (
    <FromServer from={survey}>
      {(json) => (
        <ol className={classNames(styles, 'answers')}>
          {questionsOf(json).map((question) => (
            <li key={String(question['name'])} className={classNames(styles, 'answer')}>
              <span className={classNames(styles, 'question')}>
                {wordsOf(question['title'] ?? question['name'])}
              </span>
              <span className={classNames(styles, 'note')}>{String(question['type'])}</span>
              {question['correctAnswer'] !== undefined && (
                <span>{`${text.quizzes.rightAnswer}: ${wordsOf(question['correctAnswer'])}`}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </FromServer>
  );
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Delete({ quiz }: { quiz: Quiz }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [, navigate] = useLocation();
  const [isAsked, setIsAsked] = useState(false);
  const remove = () =>
    act(async () => {
      const { deleted } = await actions.removeQuizzes([quiz.quizid]);
      if (deleted.length === 0) return showToast(text.quizzes.kept, 'danger');
      showToast(text.quizzes.deleted);
      actions.syncNow();
      navigate('/training/quizzes');
    });
  return (
    <>
      <Button tone="danger" onPress={() => setIsAsked(true)} isPending={busy}>
        {text.quizzes.delete}
      </Button>
      <ConfirmDialog
        title={text.quizzes.deleteTitle(quiz.title)}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        confirmLabel={text.quizzes.delete}
        cancelLabel={text.app.cancel}
        onConfirm={remove}
      >
        {text.quizzes.deleteHint}
      </ConfirmDialog>
    </>
  );
}
