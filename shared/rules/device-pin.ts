/** Number of characters that a PIN has at least and at most. */
export const pinLength = { min: 6, max: 200 } as const;

/**
 * Why a PIN is refused. `repeated`: it consists of one character. `run`: each character follows the one before it, as
 * in `123456`, or precedes it, as in `fedcba`.
 */
export type PinRefusal = 'too-short' | 'too-long' | 'repeated' | 'run';

/**
 * The form in which PINs are measured and hashed: NFC, as RFC 8265 demands of passwords, because keyboards differ in
 * how they compose letters.
 */
export function normalPin(pin: string): string {
  return pin.normalize('NFC');
}

/** Why `pin` cannot protect a device; null if it can. Characters are code points of its normal form. */
export function pinRefusal(pin: string): PinRefusal | null {
  const points = Array.from(normalPin(pin), (character) => character.codePointAt(0) ?? 0);
  if (points.length < pinLength.min) return 'too-short';
  if (points.length > pinLength.max) return 'too-long';
  const steps = new Set(points.slice(1).map((point, at) => point - (points[at] ?? 0)));
  const [step] = steps;
  if (steps.size > 1 || step === undefined) return null;
  if (step === 0) return 'repeated';
  return Math.abs(step) === 1 ? 'run' : null;
}
