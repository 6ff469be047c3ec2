import { ListChecks } from 'lucide-react';
import { useCallback, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import type { QuizSession } from '#shared/model/quiz.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { Answers } from './answers.tsx';
import { FromServer } from './from-server.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

const readSessions = (actions: Actions) => actions.listSessions({});

/** Attempts of the people in the person's teams. */
export function SessionsScreen() {
  const sessions = useServerValue(readSessions);
  const [words, setWords] = useState('');
  const [shown, setShown] = useState<QuizSession | null>(null);
  const isFound = ({ title, username }: QuizSession) =>
    `${title} ${username}`.toLowerCase().includes(words.trim().toLowerCase());
  return (
    <TrainingPage title={text.training.sections.sessions} lead={text.quizzes.sessionsLead}>
      <FromServer from={sessions}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={<ListChecks />} title={text.quizzes.noSessions}>
              {text.quizzes.noResultsHint}
            </EmptyState>
          ) : (
            <>
              <div className={classNames(styles, 'tools')}>
                <div className={classNames(styles, 'grow')}>
                  <TextField label={text.quizzes.filter} value={words} onChange={setWords} />
                </div>
              </div>
              <RowList>
                {list.filter(isFound).map((session) => (
                  <SessionRow key={session.sessionid} session={session} onShow={() => setShown(session)} />
                ))}
              </RowList>
            </>
          )
        }
      </FromServer>
      {shown !== null && <Submission session={shown} onClose={() => setShown(null)} />}
    </TrainingPage>
  );
}

function SessionRow({ session, onShow }: { session: QuizSession; onShow: () => void }) {
  const { tone, words } = stateOf(session);
  return (
    <ListRow
      end={
        <>
          <Badge tone={tone} look="dot">
            {words}
          </Badge>
          <Button onPress={onShow} label={text.quizzes.showOf(session.username, session.title)}>
            {text.quizzes.show}
          </Button>
        </>
      }
    >
      <RowTitle>{session.username}</RowTitle>
      <Note>{`${session.title} · ${formatDate(session.start_date * 1000)}`}</Note>
    </ListRow>
  );
}

function stateOf({ status, score, passed }: QuizSession): { tone: Tone; words: string } {
  const { states, scored } = text.quizzes;
  if (status === 'in_progress') return { tone: 'accent', words: states.open };
  if (status === 'cancelled') return { tone: 'neutral', words: states.cancelled };
  if (score === null) return { tone: 'neutral', words: states.done };
  return passed === true
    ? { tone: 'ok', words: `${states.passed} · ${scored(score)}` }
    : { tone: 'danger', words: `${states.failed} · ${scored(score)}` };
}

function Submission({ session, onClose }: { session: QuizSession; onClose: () => void }) {
  const { sessionid, username, title } = session;
  const read = useCallback((actions: Actions) => actions.readSubmission(sessionid), [sessionid]);
  const submission = useServerValue(read);
  return (
    <Dialog
      title={text.quizzes.sessionOf(username, title)}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
    >
      <FromServer from={submission}>
        {({ questions }) => (
          <Answers
            answers={questions.map((one) => ({
              title: one.title,
              answer: one.answer,
              correct: one.is_correct,
              correctAnswer: one.correct_answer,
            }))}
          />
        )}
      </FromServer>
    </Dialog>
  );
}
