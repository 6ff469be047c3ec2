import { Check } from 'lucide-react';
import { Checkbox } from 'react-aria-components';

import styles from './checkbox-field.module.css';
import { classNames } from './class-names.ts';

interface CheckboxFieldProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  /** `plain`: an item of a checklist, without a border. */
  look?: 'boxed' | 'plain';
  isRequired?: boolean;
  isDisabled?: boolean;
}

export function CheckboxField({
  label,
  value,
  onChange,
  look = 'boxed',
  isRequired = false,
  isDisabled = false,
}: CheckboxFieldProps) {
  return (
    <Checkbox
      className={classNames(styles, 'checkbox', look)}
      isSelected={value}
      onChange={onChange}
      isRequired={isRequired}
      isDisabled={isDisabled}
      validationBehavior="aria"
    >
      <span className={classNames(styles, 'box')} aria-hidden="true">
        <Check />
      </span>
      <span>
        {label}
        {isRequired && <span aria-hidden="true">{' *'}</span>}
      </span>
    </Checkbox>
  );
}
