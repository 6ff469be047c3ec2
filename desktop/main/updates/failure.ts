/**
 * Why an update is not installed. `malformed`: not an update at all, or of a newer format. `signature`: none of the
 * publisher. `withdrawn`: older than a version that was offered before. `broken`: it did not start on this computer.
 */
export type UpdateRefusalKind =
  | 'malformed'
  | 'signature'
  | 'other-app'
  | 'expired'
  | 'withdrawn'
  | 'broken'
  | 'too-far';

/** An update that must not be installed. */
export class UpdateRefused extends Error {
  override name = 'UpdateRefused';
  readonly kind: UpdateRefusalKind;
  constructor(kind: UpdateRefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Why there is no update. Besides refusals: `unreachable`: the server gave no answer, or stopped in the middle. `package`:
 * the package is not the one that was signed. `no-package`: there is none for this computer. `no-folder`: the chosen
 * folder has no update. `no-space` and `disk`: it could not be stored or installed.
 */
export type UpdateFailureKind =
  | UpdateRefusalKind
  | 'unreachable'
  | 'package'
  | 'no-package'
  | 'no-folder'
  | 'no-space'
  | 'disk';

/** An update that could not be found, stored or installed. */
export class UpdateFailed extends Error {
  override name = 'UpdateFailed';
  readonly kind: UpdateFailureKind;
  constructor(kind: UpdateFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Why an error means that there is no update. */
export function failureKind(error: unknown): UpdateFailureKind {
  if (error instanceof UpdateFailed || error instanceof UpdateRefused) return error.kind;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return full.has(code) ? 'no-space' : 'disk';
}
