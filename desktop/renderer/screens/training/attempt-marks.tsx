import type { AttemptCard, AttemptState } from '#desktop/engine/api/training-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';

const tones: Record<AttemptState, Tone> = {
  open: 'accent',
  waiting: 'warn',
  refused: 'danger',
  passed: 'ok',
  failed: 'danger',
  done: 'neutral',
  cancelled: 'neutral',
};

/** The state of an attempt, with its score. */
export function AttemptMark({ attempt }: { attempt: AttemptCard }) {
  const words = text.quizzes.states[attempt.state];
  const score = attempt.score === null ? '' : ` · ${text.quizzes.scored(attempt.score)}`;
  return (
    <Badge tone={tones[attempt.state]} look="dot">
      {words + score}
    </Badge>
  );
}
