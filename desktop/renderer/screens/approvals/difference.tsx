import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import type { GuideDifference } from '#shared/rules/guide-difference.ts';

import styles from './approvals.module.css';

/** The differences between two versions of a guide; null: there is no earlier one. */
export function Difference({ difference }: { difference: GuideDifference | null }) {
  if (difference === null) return <p>{text.approvals.firstVersion}</p>;
  const { parts, steps, forms, isReordered } = difference;
  if (parts.length + steps.length + forms.length === 0 && !isReordered)
    return <p>{text.approvals.noChanges}</p>;
  return (
    <>
      {isReordered && <p>{text.approvals.reordered}</p>}
      {parts.map(({ part, before, after }) => (
        <Versions key={part} title={text.approvals.compared[part]} before={before} after={after} />
      ))}
      {steps.map(({ number, before, after }) => (
        <Versions
          key={`${number} ${after === null}`}
          title={stepTitle(number, before, after)}
          before={before}
          after={after}
        />
      ))}
      {forms.map(({ number, before, after }) => (
        <Versions
          key={`form ${number}`}
          title={text.approvals.changedForm(number)}
          before={before}
          after={after}
        />
      ))}
    </>
  );
}

function stepTitle(number: number, before: string | null, after: string | null): string {
  if (before === null) return text.approvals.addedStep(number);
  if (after === null) return text.approvals.removedStep(number);
  return text.approvals.changedStep(number);
}

function Versions({ title, before, after }: { title: string; before: string | null; after: string | null }) {
  return (
    <section className={classNames(styles, 'group')}>
      <h3>{title}</h3>
      {before === after ? (
        <p>{text.approvals.drawn}</p>
      ) : (
        <div className={classNames(styles, 'versions')}>
          {before !== null && <Version name={text.approvals.before} words={before} />}
          {after !== null && <Version name={text.approvals.after} words={after} />}
        </div>
      )}
    </section>
  );
}

function Version({ name, words }: { name: string; words: string }) {
  return (
    <div>
      <span className={classNames(styles, 'note')}>{name}</span>
      <div className={classNames(styles, 'version')}>{words}</div>
    </div>
  );
}
