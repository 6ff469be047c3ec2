import { FieldError, Label, Text } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './field.module.css';

/** Properties of every field. `error` is shown below the field. */
export interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  isRequired?: boolean;
  isDisabled?: boolean;
}

/** The label of a field; an asterisk marks required ones. */
export function FieldLabel({ label, isRequired = false }: Pick<FieldProps, 'label' | 'isRequired'>) {
  return (
    <Label className={classNames(styles, 'label')}>
      {label}
      {isRequired && (
        <span className={classNames(styles, 'required')} aria-hidden="true">
          {' *'}
        </span>
      )}
    </Label>
  );
}

/** The hint of a field, or its error. */
export function FieldNotes({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className={classNames(styles, 'hint')}>
          {hint}
        </Text>
      )}
      <FieldError className={classNames(styles, 'error')}>{error}</FieldError>
    </>
  );
}
