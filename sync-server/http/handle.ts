import type { CallInput, EndpointTable, HandlerResult, IsRemembered } from '#shared/api/endpoint.ts';

import type { Context, Remembered } from '../core/context.ts';
import type { JsonText } from './json-text.ts';

/**
 * What a handler returns.
 *
 * - IDEMPOTENCY-9 A call whose key is recorded and that returns a body names the record of the body
 *   (`ctx.respondWithRecord`) in the transaction of its effect; otherwise its handler does not compile.
 */
type Answer<E> = E extends { result: unknown }
  ? IsRemembered<E> extends true
    ? Remembered<HandlerResult<E>>
    : HandlerResult<E> | JsonText<HandlerResult<E>>
  : HandlerResult<E>;

type Run<E> = (input: CallInput<E>, ctx: Context) => Answer<E> | Promise<Answer<E>>;

/** Query and body as sent, not validated. */
interface Asked {
  query: Readonly<Record<string, string | undefined>>;
  /** The fields of the body, of any type; none if the body is not an object. */
  asked: Readonly<Record<string, unknown>>;
}

/** The input of a gate. It includes the unvalidated body, so that 403 comes before 422. */
type GateInput<E> = Pick<CallInput<E>, 'params'> & Asked;

/** A handler with a gate: `allow` runs before the body is validated and throws 404 or 403 (order of refusals). */
export interface Gated<E> {
  allow: (input: GateInput<E>, ctx: Context) => void | Promise<void>;
  run: Run<E>;
}

/** One handler per endpoint of a table. A missing or wrongly typed one does not compile. */
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Run<T[K]> | Gated<T[K]> };

/** The parsed input of a call of any endpoint. */
export interface AnyInput {
  params: unknown;
  query: unknown;
  body: unknown;
  revisionid: number | undefined;
}

/** A gated handler of any endpoint. */
export interface AnyGated {
  allow(input: Pick<AnyInput, 'params'> & Asked, ctx: Context): void | Promise<void>;
  run(input: AnyInput, ctx: Context): unknown;
}

/**
 * Loads the body of a replay: the current record, with the caller's current permissions. `id`: as the call named it in
 * `ctx.respondWithRecord`.
 * @throws Problem 404 if the record no longer exists
 */
export type LoadReplay = (ctx: Context, id: string) => unknown;

/** A table of endpoints with its handlers. */
export interface Mounted {
  table: EndpointTable;
  handlers: Record<string, AnyGated>;
  /** By the kind of record that `ctx.respondWithRecord` names. */
  replays: Readonly<Record<string, LoadReplay>>;
}

/** Pairs a table with its handlers, and with a replay for each kind of record that they name. */
export function handle<T extends EndpointTable>(
  table: T,
  handlers: Handlers<T>,
  replays: Mounted['replays'] = {},
): Mounted {
  const gated = Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      typeof handler === 'function' ? { allow: () => undefined, run: handler } : handler,
    ]),
  );
  return { table, handlers: gated, replays };
}
