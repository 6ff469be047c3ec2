import { useState } from 'react';

import { decimalSeparator, formatDigits } from '#desktop/renderer/text/format.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { readNumber } from '#shared/text/typed-number.ts';

interface NumberSettingProps {
  label: string;
  hint?: string;
  suffix?: string | undefined;
  value: number | undefined;
  /** Undefined: the setting is empty. */
  onChange: (value: number | undefined) => void;
  /** Whether the number is one that the setting takes. */
  isRight?: (value: number) => boolean;
  /** Shown when the field is left with another text. */
  error: string;
}

/** A number of a field, which may be empty. A text that is none stays in the field, and is told when the field is left. */
export function NumberSetting({
  value,
  onChange,
  isRight = () => true,
  error,
  ...field
}: NumberSettingProps) {
  const shown = value === undefined ? '' : formatDigits(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setIsLeft] = useState(false);
  const read = (words: string): number | undefined | null => {
    const typedNumber = readNumber(words, decimalSeparator);
    if (typedNumber === null || 'ambiguous' in typedNumber) return null;
    if (typedNumber.value === '') return undefined;
    const number = Number(typedNumber.value);
    return isRight(number) ? number : null;
  };
  const isWrong = typed !== null && read(typed) === null;
  return (
    <TextField
      {...field}
      kind="numeric"
      value={typed ?? shown}
      onChange={(words) => {
        setTyped(words);
        setIsLeft(false);
        const number = read(words);
        if (number !== null) onChange(number);
      }}
      onLeave={() => {
        setIsLeft(true);
        if (!isWrong) setTyped(null);
      }}
      error={isWrong && isLeft ? error : undefined}
    />
  );
}
