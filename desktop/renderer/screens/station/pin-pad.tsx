import { Delete } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';

import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { stationPinLength } from '#shared/rules/stations.ts';

import styles from './pin-pad.module.css';

interface PinPadProps {
  pin: string;
  onChange: (pin: string) => void;
  onDone: () => void;
  isDisabled: boolean;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** The PIN after another digit. */
export const withDigit = (pin: string, digit: string): string => (pin + digit).slice(0, stationPinLength.max);

/** Keys for a PIN, which shows how many digits were entered and not which. */
export function PinPad({ pin, onChange, onDone, isDisabled }: PinPadProps) {
  const key = (digit: string) => (
    <AriaButton
      key={digit}
      className={classNames(styles, 'key')}
      isDisabled={isDisabled}
      onPress={() => onChange(withDigit(pin, digit))}
    >
      {digit}
    </AriaButton>
  );
  return (
    <div className={classNames(styles, 'pad')} role="group" aria-label={stationText.pad.label}>
      <div
        className={classNames(styles, 'dots')}
        role="status"
        aria-label={stationText.pad.entered(pin.length)}
      >
        {Array.from({ length: Math.max(stationPinLength.min, pin.length) }, (_, at) => (
          <span key={at} className={classNames(styles, 'dot', at < pin.length && 'filled')} />
        ))}
      </div>
      {digits.map(key)}
      <AriaButton
        className={classNames(styles, 'key')}
        aria-label={stationText.pad.remove}
        isDisabled={isDisabled || pin === ''}
        onPress={() => onChange(pin.slice(0, -1))}
      >
        <Delete aria-hidden="true" />
      </AriaButton>
      {key('0')}
      <AriaButton
        className={classNames(styles, 'key', 'done')}
        isDisabled={isDisabled || pin.length < stationPinLength.min}
        onPress={onDone}
      >
        {stationText.pad.signIn}
      </AriaButton>
    </div>
  );
}
