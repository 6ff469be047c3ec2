import { ListChecks } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { TrainingPage } from './training-page.tsx';

/** Shown if a quiz or attempt does not exist on this device. */
export function QuizGone({ title }: { title: string }) {
  return (
    <TrainingPage title={title}>
      <EmptyState
        icon={<ListChecks />}
        title={text.quizzes.gone}
        action={<ButtonLink href="/training/quizzes">{text.training.sections.quizzes}</ButtonLink>}
      >
        {text.quizzes.goneHint}
      </EmptyState>
    </TrainingPage>
  );
}
