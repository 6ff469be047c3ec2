import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './training.module.css';

interface JudgedAnswer {
  title: string;
  answer: unknown;
  correct: boolean | null;
  /** Only for people who may see it. */
  correctAnswer?: unknown;
}

/** The answers, question by question, with their results. */
export function Answers({ answers }: { answers: readonly JudgedAnswer[] }) {
  return (
    <ol className={classNames(styles, 'answers')}>
      {answers.map((one, index) => (
        <li key={`${index} ${one.title}`} className={classNames(styles, 'answer')}>
          <span className={classNames(styles, 'question')}>{one.title}</span>
          <span>{`${text.quizzes.yourAnswer}: ${answerText(one.answer)}`}</span>
          {one.correctAnswer !== undefined && one.correctAnswer !== null && one.correct === false && (
            <span>{`${text.quizzes.rightAnswer}: ${answerText(one.correctAnswer)}`}</span>
          )}
          <span>
            <Judgement correct={one.correct} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Judgement({ correct }: { correct: boolean | null }) {
  const [tone, words]: [Tone, string] =
    correct === null
      ? ['neutral', text.quizzes.notJudged]
      : correct
        ? ['ok', text.quizzes.correct]
        : ['danger', text.quizzes.wrong];
  return (
    <Badge tone={tone} look="dot">
      {words}
    </Badge>
  );
}

/** An answer to any kind of question, in words. */
function answerText(answer: unknown): string {
  if (answer === null || answer === undefined || answer === '') return text.quizzes.noAnswer;
  if (typeof answer === 'boolean') return answer ? text.quizzes.yes : text.quizzes.no;
  if (Array.isArray(answer)) return answer.map(answerText).join(', ');
  if (typeof answer === 'object')
    return Object.entries(answer)
      .map(([name, value]) => `${name}: ${answerText(value)}`)
      .join('; ');
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
