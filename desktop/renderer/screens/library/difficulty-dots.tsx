import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { difficulties } from '#shared/model/guide.ts';

import styles from './difficulty-dots.module.css';

/** One to five dots; the words are there for who cannot see them. Nothing for a guide without a difficulty. */
export function DifficultyDots({ difficulty }: { difficulty: string }) {
  const level = difficulties.findIndex((name) => name === difficulty) + 1;
  if (level === 0) return null;
  return (
    <span
      className={classNames(styles, 'dots')}
      role="img"
      aria-label={text.difficulties.label(difficulty)}
      title={difficulty}
    >
      {difficulties.map((name, index) => (
        <span key={name} className={classNames(styles, 'dot', index < level && 'on')} />
      ))}
    </span>
  );
}
