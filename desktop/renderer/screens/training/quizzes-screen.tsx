import { ListChecks } from 'lucide-react';
import { useState } from 'react';

import type { QuizCard } from '#desktop/engine/api/training-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AttemptMark } from './attempt-marks.tsx';
import { ImportQuiz } from './import-quiz.tsx';
import { TrainingPage, useManages } from './training-page.tsx';
import styles from './training.module.css';

type Filter = keyof typeof text.quizzes.filters;

/** The quizzes, with a search and a filter. */
export function QuizzesScreen() {
  const { quizzes } = useLive('quizzes');
  const manages = useManages();
  const [words, setWords] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const found = quizzes.filter(
    (quiz) => isOf(quiz, filter) && quiz.title.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <TrainingPage title={text.training.sections.quizzes} actions={manages && <ImportQuiz />}>
      {quizzes.length > 0 && (
        <SegmentedField
          label={text.quizzes.filterBy}
          hideLabel
          look="compact"
          segments={(Object.keys(text.quizzes.filters) as Filter[]).map((id) => ({
            id,
            name: text.quizzes.filters[id],
          }))}
          value={filter}
          onChange={(id) => setFilter(id as Filter)}
        />
      )}
      {quizzes.length > 0 && (
        <div className={classNames(styles, 'tools')}>
          <div className={classNames(styles, 'grow')}>
            <TextField label={text.quizzes.filter} value={words} onChange={setWords} />
          </div>
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState
          icon={<ListChecks />}
          title={quizzes.length === 0 ? text.quizzes.emptyTitle : text.quizzes.nothingFound}
        >
          {quizzes.length === 0 ? text.quizzes.empty : text.quizzes.nothingFoundHint}
        </EmptyState>
      ) : (
        <RowList>
          {found.map((quiz) => (
            <QuizRow key={quiz.quizid} quiz={quiz} href={`/training/quizzes/${quiz.quizid}`} />
          ))}
        </RowList>
      )}
    </TrainingPage>
  );
}

function isOf({ latest }: QuizCard, filter: Filter): boolean {
  if (filter === 'all') return true;
  return (filter === 'passed') === (latest?.state === 'passed');
}

/** A list row for a quiz; the whole row is the link. */
export function QuizRow({ quiz, href }: { quiz: QuizCard; href: string }) {
  return (
    <ListRow
      end={quiz.latest === null ? <Badge>{text.quizzes.never}</Badge> : <AttemptMark attempt={quiz.latest} />}
    >
      <RowTitle href={href}>{quiz.title}</RowTitle>
      <Note>{`${text.quizzes.questions(quiz.questions)} · ${text.quizzes.passingScore(quiz.passingScore)}`}</Note>
    </ListRow>
  );
}
