import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { decimalSeparator, formatDigits } from '#desktop/renderer/text/format.ts';
import type { FormField } from '#shared/model/step-form.ts';
import { readNumber } from '#shared/text/typed-number.ts';
import { checkFieldValue, type CheckedValue } from '#shared/rules/field-value.ts';

/** What a person typed into a field, in its stored form, or why it is not recorded, in their language. */
export function readFieldValue(field: FormField, words: string): CheckedValue {
  if (field.field_type !== 'Numeric Input') {
    const checked = checkFieldValue(field, words);
    return 'message' in checked ? { message: refusedWords(checked.message, 'invalid') } : checked;
  }
  const { notNumber, ambiguous, wholeNumber, decimals } = text.player.numberFlaws;
  const read = readNumber(words, decimalSeparator);
  if (read === null) return { message: notNumber };
  if ('ambiguous' in read) {
    const { decimal, whole } = read.ambiguous;
    return { message: ambiguous(formatDigits(whole), formatDigits(decimal)) };
  }
  const checked = checkFieldValue(field, read.value);
  if ('value' in checked || Array.isArray(field.options)) return checked;
  const most = field.options.decimals;
  return { message: most === 0 ? wholeNumber : decimals(most) };
}
