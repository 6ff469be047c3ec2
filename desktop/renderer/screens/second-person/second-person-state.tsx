import type { SecondPersonView } from '#desktop/engine/api/order-signing.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { utcText } from '#shared/rules/approvals.ts';

import styles from './second-person.module.css';

const tones: Record<SecondPersonView['state'], Tone> = { named: 'warn', confirmed: 'ok', lost: 'danger' };

/** Whether somebody confirmed a step, when and how; the name itself is the value. */
export function SecondPersonState({ second }: { second: SecondPersonView }) {
  const words = secondPersonWords(second);
  return (
    <span className={classNames(styles, 'state')}>
      <Badge tone={tones[second.state]}>{text.secondPerson.states[second.state]}</Badge>
      {words !== '' && <span className={classNames(styles, 'words')}>{words}</span>}
    </span>
  );
}

/** What is to be said about a second person besides the name; '' if nothing. */
export function secondPersonWords({ state, name, named, at, method, isLate }: SecondPersonView): string {
  if (state === 'lost') return text.secondPerson.lost(name);
  if (at === null || method === null) return '';
  const verified = text.secondPerson.at(text.secondPerson.methods[method], utcText(at / 1000));
  const how = isLate ? text.secondPerson.late(verified) : verified;
  return named === null ? how : text.secondPerson.instead(name, how, named);
}
