/** The kind of a refusal. The set is closed; `problemStatus` gives the HTTP status of each. */
export type ProblemKind =
  | 'bad-json'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'invalid'
  | 'client-too-old'
  | 'too-many-requests'
  | 'gone'
  | 'precondition-failed'
  | 'too-large'
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
  'precondition-failed': 412,
  'too-large': 413,
  invalid: 422,
  /** The app speaks only protocols that this server no longer speaks. */
  'client-too-old': 426,
  'too-many-requests': 429,
  unavailable: 503,
} as const satisfies Record<ProblemKind, number>;

/** The things that a 404 can name, with the code of each. */
const missingCodes = {
  Session: 'session-not-found',
  'App id': 'app-id-not-found',
  'Approval process': 'approval-process-not-found',
  'Approval request': 'approval-request-not-found',
  Archive: 'archive-not-found',
  Category: 'category-not-found',
  Comment: 'comment-not-found',
  Course: 'course-not-found',
  'Course assignment': 'course-assignment-not-found',
  'Course stage': 'course-stage-not-found',
  Document: 'document-not-found',
  Endpoint: 'endpoint-not-found',
  Delivery: 'delivery-not-found',
  Entry: 'glossary-entry-not-found',
  'External training module': 'external-training-module-not-found',
  File: 'file-not-found',
  Guide: 'guide-not-found',
  Image: 'image-not-found',
  Import: 'import-not-found',
  Job: 'job-not-found',
  Member: 'member-not-found',
  Page: 'page-not-found',
  'Part of the module': 'part-of-the-module-not-found',
  Post: 'post-not-found',
  Quiz: 'quiz-not-found',
  'Quiz session': 'quiz-session-not-found',
  /** A kind of record without a code of its own. */
  Record: 'record-not-found',
  Release: 'release-not-found',
  Revision: 'revision-not-found',
  'Sign-on': 'sign-on-not-found',
  Step: 'step-not-found',
  Story: 'story-not-found',
  'Step form': 'step-form-not-found',
  Tag: 'tag-not-found',
  Team: 'team-not-found',
  'Translation glossary': 'translation-glossary-not-found',
  Upload: 'upload-not-found',
  User: 'user-not-found',
  Video: 'video-not-found',
  Webhook: 'webhook-not-found',
  Wiki: 'wiki-not-found',
  'Work log entry': 'work-log-entry-not-found',
  Deviation: 'deviation-not-found',
  'Planned order': 'planned-order-not-found',
  Station: 'station-not-found',
  Badge: 'station-badge-not-found',
} as const satisfies Record<string, `${string}-not-found`>;

/** A thing that a 404 can name. */
export type MissingThing = keyof typeof missingCodes;

/** Codes for refusals whose kind does not tell a program what to do. */
const specificCodes = [
  /** 400: the site requires an app id (`X-App-Id`) that its administrator issued. */
  'invalid-app-id',
  /** 401: no account has this address and password. */
  'wrong-login',
  /** 403: the call needs a session that began with a sign-in a few minutes ago. */
  'sign-in-too-old',
  /** 401: an administrator shut the device of this station out. */
  'station-revoked',
  /** 401: another device has enrolled as this station since. */
  'station-replaced',
  /** 403: a station called in the name of somebody who is not of it; or a lead refused. */
  'not-of-station',
  /** 403: a station called in the name of somebody who no longer is of it: the call waits until a lead decides. */
  'station-needs-lead',
  /** 409: open work orders are planned for the team that is to be deleted. The message says what to do. */
  'team-has-planned-orders',
  /** 422: nobody makes this call in the name of another person. */
  'not-recordable',
  /** 422: only the session of a station's device calls in the name of people. */
  'not-a-station',
  /** 422: a station makes this call only in the name of a person. */
  'station-needs-person',
  /** 410: the server's feed does not contain a checkpoint that the device sent. */
  'unknown-place',
  /** 410: the device expected another server; nothing was done. */
  'other-server',
  /** 404: the number of the record that a call changes belongs to another record. */
  'other-record',
  /** 422: the Idempotency-Key was used for another request. */
  'idempotency-key-reused',
  /** 422: a call of a batch uses a temporary id that no call has resolved. */
  'temporary-id-unknown',
  /** 422: the body is larger than the server accepts. */
  'body-too-large',
  /** 422: a text contains a character that cannot be stored. */
  'character-not-allowed',
  /** 422: a text is longer than the database can store. */
  'text-too-long',
  /** 408 and 431: answered before a request could be read. */
  'request-timeout',
  'headers-too-large',
  /** 422: bytes of the upload that a call names are missing. */
  'upload-incomplete',
  /** 422: the bytes of the upload do not have the SHA-256 that the call names; the upload was removed. */
  'upload-damaged',
  /** 429: the caller's unfinished uploads use up the caller's quota. */
  'upload-quota',
  /** 503: the app speaks only protocols that this server does not speak yet. */
  'server-too-old',
  /** 500: the server failed; the request may be repeated. */
  'server-error',
  /** 503: too much work is queued; nothing was done. */
  'server-busy',
  /** 503: the server's disk is full. */
  'disk-full',
  /** 503: the database of the server is damaged; its administrators must restore a backup. */
  'database-damaged',
  /** 503: the server cannot reach its database; the call may have been stored, and may be repeated with its Idempotency-Key. */
  'database-unreachable',
  /** 503: the server cannot write to its data folder. */
  'disk-not-writable',
  /** 503: the server cannot reach the storage of its files. */
  'storage-unavailable',
] as const;

const kinds = Object.keys(problemStatus) as [ProblemKind, ...ProblemKind[]];
const missing = Object.values(missingCodes) as [MissingCode, ...MissingCode[]];
type MissingCode = (typeof missingCodes)[MissingThing];

/**
 * Every `code` of a refusal. Programs decide by the code; people read the message. Codes are only ever added. A refusal
 * without a code of its own has its kind as code.
 */
export const problemCodes = [...kinds, ...specificCodes, ...missing] as const;
export type ProblemCode = ProblemKind | (typeof specificCodes)[number] | MissingCode;

/** Whether this version knows a code; a newer server may send others. */
export function isProblemCode(code: unknown): code is ProblemCode {
  return problemCodes.some((known) => known === code);
}

/** An entry of `errors[]` in a 422 body: the field, the element of it (0-based), and what is wrong. */
export interface FieldError {
  field: string;
  message: string;
  index?: number;
}

interface ProblemDetails {
  /** More specific than the kind. */
  code?: ProblemCode;
  errors?: FieldError[];
  requiredPrivileges?: string[];
  /** The current record, which is the whole body of a 409. */
  current?: unknown;
  retryAfterSeconds?: number;
  allow?: string[];
  cause?: unknown;
}

/** A refusal that is sent to the caller. Any other error is a bug and is answered with 500, without its message. */
export class Problem extends Error {
  override name = 'Problem';
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;

  constructor(kind: ProblemKind, message: string, details: ProblemDetails = {}) {
    super(cut(message, mostOfMessage), details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details =
      details.errors === undefined ? details : { ...details, errors: details.errors.map(cutError) };
  }

  get code(): ProblemCode {
    return this.details.code ?? this.kind;
  }

  get status(): number {
    return problemStatus[this.kind];
  }
}

/** Maximum length of a message, and of a field name, in characters: both may repeat what the caller sent. */
const mostOfMessage = 500;
const mostOfField = 200;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function cutError(error: FieldError): FieldError {
  return { ...error, field: cut(error.field, mostOfField), message: cut(error.message, mostOfMessage) };
}

/** A 422 about one field. */
export function invalid(field: string, message: string, index?: number): Problem {
  return new Problem('invalid', message, {
    errors: [index === undefined ? { field, message } : { field, message, index }],
  });
}

/** A 404 that says what is missing (`name` in the message). Also the answer for records that the caller may not see. */
export function notFound(what: MissingThing, name: string = what): Problem {
  return new Problem('not-found', `${name} not found`, { code: missingCodes[what] });
}

/** A 409 whose body is the current record. */
export function conflict(current: unknown): Problem {
  return new Problem('conflict', 'The record has changed since this revision', { current });
}

/** A 403 that names the sufficient privileges. */
export function forbidden(message = 'Insufficient privileges', requiredPrivileges: string[] = []): Problem {
  return new Problem('forbidden', message, { requiredPrivileges });
}

/** The fields that every refusal has. */
export function problemFields(
  message: string,
  code: ProblemCode,
): { error: true; message: string; msg: string; code: ProblemCode } {
  return { error: true, message, msg: message, code };
}
