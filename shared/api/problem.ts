/** Why a request is refused. Closed set; the status of each is in `problemStatus` (design: statuses). */
export type ProblemKind =
  | 'bad-json'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'invalid'
  | 'too-many-requests'
  | 'gone'
  | 'unavailable';

/** HTTP status of each kind. */
export const problemStatus = {
  'bad-json': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  invalid: 422,
  'too-many-requests': 429,
  unavailable: 503,
} as const satisfies Record<ProblemKind, number>;

/** One entry of `errors[]` in a 422 body: which field, which element of it (0-based), and what is wrong. */
export interface FieldError {
  field: string;
  message: string;
  index?: number;
}

interface ProblemDetails {
  errors?: FieldError[];
  requiredPrivileges?: string[];
  /** The current record: the whole body of a 409. */
  current?: unknown;
  retryAfterSeconds?: number;
  allow?: string[];
  cause?: unknown;
}

/** A refusal that the caller is told about. Anything else thrown is a bug and answers 500 without its text. */
export class Problem extends Error {
  override name = 'Problem';
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;

  constructor(kind: ProblemKind, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return problemStatus[this.kind];
  }
}

/** A 422 about one field. */
export function invalid(field: string, message: string, index?: number): Problem {
  return new Problem('invalid', message, {
    errors: [index === undefined ? { field, message } : { field, message, index }],
  });
}

/** A 404 naming what is missing; also the answer for what the caller may not see. */
export function notFound(what: string): Problem {
  return new Problem('not-found', `${what} not found`);
}

/** A 409 whose body is the current record. */
export function conflict(current: unknown): Problem {
  return new Problem('conflict', 'The record has changed since this revision', { current });
}

/** A 403 naming the privileges that would do. */
export function forbidden(message = 'Insufficient privileges', requiredPrivileges: string[] = []): Problem {
  return new Problem('forbidden', message, { requiredPrivileges });
}
