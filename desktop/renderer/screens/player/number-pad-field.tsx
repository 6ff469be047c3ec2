import { Delete } from 'lucide-react';
import { useId } from 'react';
import { Button as AriaButton } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { decimalSeparator } from '#desktop/renderer/text/format.ts';
import { noWords, typedWords } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { useFormDraftSoon } from '#desktop/renderer/use-form-draft.ts';

import styles from './number-pad-field.module.css';

interface NumberPadFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  suffix?: string;
  hint?: string;
  error: string | undefined;
  isRequired: boolean;
  isDisabled: boolean;
  /** Id of the digits that are being entered (`useFormDraft`). */
  formId: string;
}

/**
 * A number field for gloved hands: it opens a keypad, which also takes keyboard input. Digits that are not saved yet are kept
 * on this device, and the keypad is open again when the person returns.
 */
export function NumberPadField({
  label,
  value,
  onChange,
  suffix,
  hint,
  error,
  placeholder,
  isRequired,
  isDisabled,
  formId,
}: NumberPadFieldProps) {
  const typed = useFormDraftSoon({ id: formId, schema: typedWords, start: noWords });
  const entered = isDisabled ? null : typed.text.words;
  const enter = (words: string) => typed.replace({ words });
  const name = useId();
  const shown = useId();
  const unit = useId();
  const aim = useId();
  const below = useId();
  return (
    <div className={classNames(styles, 'field')}>
      <span id={name} className={classNames(styles, 'label')}>
        {label}
        {isRequired && <span aria-hidden="true">{' *'}</span>}
      </span>
      <AriaButton
        className={classNames(styles, 'box', error !== undefined && 'invalid')}
        aria-labelledby={suffix === undefined ? `${name} ${shown}` : `${name} ${shown} ${unit}`}
        aria-describedby={hint === undefined ? below : `${aim} ${below}`}
        isDisabled={isDisabled}
        onPress={() => enter(value)}
      >
        <span id={shown} className={classNames(styles, 'value', value === '' && 'empty')}>
          {value === '' ? placeholder : value}
        </span>{' '}
        {suffix !== undefined && (
          <span id={unit} className={classNames(styles, 'suffix')}>
            {suffix}
          </span>
        )}
      </AriaButton>
      {hint !== undefined && (
        <span id={aim} className={classNames(styles, 'hint')}>
          {hint}
        </span>
      )}
      <span id={below} className={classNames(styles, 'error')}>
        {error}
      </span>
      <Dialog
        title={label}
        isOpen={entered !== null}
        onClose={typed.clear}
        closeLabel={text.app.close}
        actions={
          <Button
            tone="primary"
            size="large"
            wide
            onPress={() => {
              if (entered !== null) onChange(entered);
              typed.clear();
            }}
          >
            {text.player.padDone}
          </Button>
        }
      >
        <Pad value={entered ?? ''} onChange={enter} suffix={suffix} />
      </Dialog>
    </div>
  );
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '±', '0', decimalSeparator] as const;

/** The text after another key. */
function pressed(value: string, key: string): string {
  if (key === '±') return value.startsWith('-') ? value.slice(1) : `-${value}`;
  if (key === decimalSeparator)
    return value.includes(key) ? value : `${value === '' || value === '-' ? `${value}0` : value}${key}`;
  return /^-?0$/.test(value) ? value.replace('0', key) : value + key;
}

function Pad({
  value,
  onChange,
  suffix,
}: {
  value: string;
  onChange: (value: string) => void;
  suffix: string | undefined;
}) {
  return (
    <div
      role="group"
      aria-label={text.player.numberPad}
      className={classNames(styles, 'pad')}
      onKeyDown={(event) => {
        if (/^[0-9]$/.test(event.key)) onChange(pressed(value, event.key));
        else if (event.key === '.' || event.key === ',') onChange(pressed(value, decimalSeparator));
        else if (event.key === '-') onChange(pressed(value, '±'));
        else if (event.key === 'Backspace') onChange(value.slice(0, -1));
      }}
    >
      <div className={classNames(styles, 'display')}>
        <output className={classNames(styles, 'number')}>{value}</output>
        {suffix !== undefined && <span className={classNames(styles, 'suffix')}>{suffix}</span>}
        <AriaButton
          className={classNames(styles, 'key')}
          aria-label={text.player.padDelete}
          onPress={() => onChange(value.slice(0, -1))}
        >
          <Delete aria-hidden="true" />
        </AriaButton>
      </div>
      {keys.map((key) => (
        <AriaButton
          key={key}
          className={classNames(styles, 'key')}
          onPress={() => onChange(pressed(value, key))}
          {...(key === '±' && { 'aria-label': text.player.padSign })}
        >
          {key}
        </AriaButton>
      ))}
    </div>
  );
}
