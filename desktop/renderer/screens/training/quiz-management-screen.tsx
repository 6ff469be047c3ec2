import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { NotPermitted } from '../shell/empty-page.tsx';
import { ManageQuiz } from './manage-quiz.tsx';
import { QuizGone, TrainingPage, useManages } from './training-page.tsx';

/** The answers of a quiz, the guides that have it, and deleting it, for authors. */
export function QuizManagementScreen({ quizid }: { quizid: number }) {
  const quiz = useLive('quiz', { quizid });
  const manages = useManages();
  const href = `/training/quizzes/${quizid}`;
  if (!manages) return <NotPermitted href={href} />;
  if (quiz === null) return <QuizGone title={text.training.sections.quizzes} />;
  return (
    <TrainingPage
      title={text.quizzes.manageTitle(quiz.title)}
      actions={<ButtonLink href={href}>{text.quizzes.toQuiz}</ButtonLink>}
    >
      <ManageQuiz quiz={quiz} />
    </TrainingPage>
  );
}
