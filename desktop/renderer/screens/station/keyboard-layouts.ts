import { decimalSeparator } from '#desktop/renderer/text/format.ts';

export type TypedField = HTMLInputElement | HTMLTextAreaElement;

const typed = new Set(['text', 'email', 'password', 'search', 'url', 'tel', 'number']);

/** Whether text can be typed into a field. */
export function canType(field: TypedField): boolean {
  if (field.readOnly || field.disabled) return false;
  return !(field instanceof HTMLInputElement) || typed.has(field.type);
}

const letters = ['1234567890', 'qwertyuiop', "asdfghjkl'", 'zxcvbnm,.-'];

/** The rows of letters, with the digits above. */
export const lettersOf = (isUpper: boolean): readonly string[] =>
  isUpper ? letters.map((row) => row.toUpperCase()) : letters;

/** The rows of signs and of letters with accents. */
export const symbols: readonly string[] = ['1234567890', '@#%&*+=/\\_', '()[]{}<>!?', ':;"°µäöüßé'];

/** The rows of a number pad, in the order of the one for PINs. */
export const numbers: readonly string[] = ['123', '456', '789', `-0${decimalSeparator}`];
