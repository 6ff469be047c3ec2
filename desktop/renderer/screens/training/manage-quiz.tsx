import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import type { Quiz } from '#desktop/engine/api/training-records.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { GuideField } from './guide-field.tsx';
import { DeleteButton } from './delete-button.tsx';
import { FromServer } from './from-server.tsx';
import styles from './training.module.css';

/** Actions for authors: show the correct answers, attach the quiz to guides, delete it. */
export function ManageQuiz({ quiz }: { quiz: Quiz }) {
  const [showsContent, setShowsContent] = useState(false);
  return (
    <>
      <Section title={text.quizzes.attachTitle}>
        <Note>{text.quizzes.attachHint}</Note>
        <Attach quizid={quiz.quizid} />
      </Section>
      <Section title={text.quizzes.content}>
        {showsContent ? (
          <Content quizid={quiz.quizid} />
        ) : (
          <Row>
            <Button onPress={() => setShowsContent(true)}>{text.quizzes.showContent}</Button>
            <Delete quiz={quiz} />
          </Row>
        )}
      </Section>
    </>
  );
}

function Attach({ quizid }: { quizid: number }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
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
                {valueText(question['title'] ?? question['name'])}
              </span>
              <Note>{String(question['type'])}</Note>
              {question['correctAnswer'] !== undefined && (
                <span>{`${text.quizzes.rightAnswer}: ${valueText(question['correctAnswer'])}`}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </FromServer>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Delete({ quiz }: { quiz: Quiz }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  return (
    <DeleteButton
      words={text.quizzes.delete}
      title={text.quizzes.deleteTitle(quiz.title)}
      hint={text.quizzes.deleteHint}
      tone="danger"
      onDelete={async () => {
        const { deleted } = await actions.removeQuizzes([quiz.quizid]);
        if (deleted.length === 0) return showToast(text.quizzes.kept, 'danger');
        showToast(text.quizzes.deleted);
        actions.syncNow();
        navigate('/training/quizzes');
      }}
    />
  );
}
