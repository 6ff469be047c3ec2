import { ListChecks } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AttemptRow } from './attempt-row.tsx';
import { TrainingPage } from './training-page.tsx';

/** The person's own attempts. */
export function ResultsScreen() {
  const { attempts } = useLive('quizzes');
  return (
    <TrainingPage title={text.training.sections.results}>
      {attempts.length === 0 ? (
        <EmptyState
          icon={<ListChecks />}
          title={text.quizzes.noResults}
          action={<ButtonLink href="/training/quizzes">{text.training.sections.quizzes}</ButtonLink>}
        >
          {text.quizzes.noResultsHint}
        </EmptyState>
      ) : (
        <RowList>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.sessionid} attempt={attempt} name={attempt.title} />
          ))}
        </RowList>
      )}
    </TrainingPage>
  );
}
