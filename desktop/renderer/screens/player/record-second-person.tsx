import { UserCheck } from 'lucide-react';
import { Suspense, useId, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { ConfirmDialog } from '../second-person/confirm-dialog.tsx';
import { SecondPersonState } from '../second-person/second-person-state.tsx';
import styles from '../second-person/second-person.module.css';
import type { RecordProps } from './use-record.ts';

/** Who confirms the values of the step, and whether the server verified it. */
export function RecordSecondPerson({ field, order, recorded }: RecordProps) {
  const [isAsking, setIsAsking] = useState(false);
  const label = useId();
  const value = recorded?.value ?? '';
  const second = recorded?.second ?? null;
  return (
    <div className={classNames(styles, 'field')} role="group" aria-labelledby={label}>
      <span id={label} className={classNames(styles, 'label')}>
        {field.label}
        {field.required && <span aria-hidden="true">{' *'}</span>}
      </span>
      {second !== null && (
        <div className={classNames(styles, 'name')} role="status">
          {value !== '' && <strong>{value}</strong>}
          <SecondPersonState second={second} />
        </div>
      )}
      {second?.state !== 'confirmed' && (
        <Button
          icon={<UserCheck aria-hidden="true" />}
          wide
          isDisabled={order === null}
          onPress={() => setIsAsking(true)}
        >
          {second === null
            ? text.secondPerson.ask
            : text.secondPerson[second.state === 'named' ? 'verify' : 'askAgain']}
        </Button>
      )}
      {isAsking && order !== null && (
        <Suspense fallback={null}>
          <ConfirmDialog
            field={field}
            order={order}
            name={second?.name ?? ''}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
