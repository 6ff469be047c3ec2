/**
 * How people sign in at a station. Only the station checks badges and PINs; no server takes them. The server keeps
 * argon2id of each and gives a station verifiers that are of use to nobody without the secret of that station.
 *
 * A verifier is the HMAC-SHA-256, with the 32 bytes of the station's secret as key, over the UTF-8 text
 * `{kind}\n{accountid}\n{hash}`. `kind` is `pin` or `badge`, `accountid` that of the person, and `hash` the argon2id
 * (RFC 9106, version 0x13, one lane, 32 bytes, in lower-case hexadecimal) of the normal form of PIN or number with the
 * salt and cost that the server states. One hash thus checks an entry against everybody at the station. That of the code
 * that ends station mode has the kind `exit`, the `accountid` of the station, and the cost of a PIN.
 */

/** Number of digits of a PIN. */
export const stationPinLength = { min: 4, max: 12 } as const;

/** Most characters of the number of a badge. */
export const badgeNumberLimit = 200;

/** Cost of argon2id: memory in KiB, and passes over it. */
export interface VerifierCost {
  memory: number;
  passes: number;
}

/**
 * The cost of new hashes. For PINs: the least that OWASP recommends, about 0.7 s in JavaScript. For badges: less, since a
 * person with gloves on waits at the reader, and whoever has held a badge knows its number anyway.
 */
export const verifierCosts = {
  pin: { memory: 19_456, passes: 2 },
  badge: { memory: 8192, passes: 1 },
} as const satisfies Record<string, VerifierCost>;

/**
 * Why a PIN is refused. `digits`: it does not consist of 4 to 12 digits. `repeated`: of one digit. `run`: each digit
 * follows the one before it, as in `1234`, or precedes it.
 */
export type StationPinRefusal = 'digits' | 'repeated' | 'run';

/** Why `pin` cannot be the PIN of a person; null if it can. */
export function stationPinRefusal(pin: string): StationPinRefusal | null {
  const { min, max } = stationPinLength;
  if (!/^[0-9]+$/.test(pin) || pin.length < min || pin.length > max) return 'digits';
  const digits = Array.from(pin, Number);
  const steps = new Set(digits.slice(1).map((digit, at) => digit - (digits[at] ?? 0)));
  const [step] = steps;
  if (steps.size > 1 || step === undefined) return null;
  if (step === 0) return 'repeated';
  return Math.abs(step) === 1 ? 'run' : null;
}

/**
 * The normal form of the number of a badge, which is hashed: as it was read, in NFC, without white space at its ends, and
 * in upper case, because readers differ in how they write hexadecimal digits.
 */
export function badgeNumber(read: string): string {
  return read.normalize('NFC').trim().toUpperCase();
}

/** What a verifier verifies. */
export type VerifierKind = keyof typeof verifierCosts | 'exit';

/** Number of digits of the code that ends station mode. */
export const exitCodeLength = 8;

/** The text over which a verifier is made. `hash`: argon2id in lower-case hexadecimal. */
export function verifierText(kind: VerifierKind, accountid: string, hash: string): string {
  return `${kind}\n${accountid}\n${hash}`;
}

/** The characters of an enrolment code: no I, L, O and U, which are mistaken for others or make words. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Number of characters of an enrolment code: 50 bits. */
export const codeLength = 10;

/** An enrolment code as people read it: `7Q4XM-R2KD9`. */
export function shownCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** The normal form of an enrolment code that a person typed: without dashes and spaces, and what looks alike replaced. */
export function enrolmentCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** How long an enrolment code can be used, seconds. */
export const codeSeconds = 15 * 60;

/** How long calls of a former member that a lead accepted may arrive, seconds. */
export const acceptedSeconds = 7 * 24 * 3600;

/** The request headers of a call that a station sends in the name of a person. */
export const recordedHeaders = { for: 'X-Recorded-For', at: 'X-Recorded-At' } as const;
