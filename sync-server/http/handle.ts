import type { CallInput, EndpointTable, HandlerResult, IsRemembered } from '#shared/api/endpoint.ts';

import type { Context, Remembered } from '../core/context.ts';

/** A call that is remembered names the record of its body (`ctx.respondWithRecord`); otherwise it does not compile. */
type Answer<E> = E extends { result: unknown }
  ? IsRemembered<E> extends true
    ? Remembered<HandlerResult<E>>
    : HandlerResult<E>
  : HandlerResult<E>;

type Run<E> = (input: CallInput<E>, ctx: Context) => Answer<E> | Promise<Answer<E>>;

/** What was asked for, as it was sent: nothing of it is validated yet. */
interface Asked {
  query: Readonly<Record<string, string | undefined>>;
  /** The fields of the body, of whatever type; none when the body is no object. */
  asked: Readonly<Record<string, unknown>>;
}

/** What a gate knows of a call, so that 403 for what the caller may not ask for comes before 422. */
type GateInput<E> = Pick<CallInput<E>, 'params'> & Asked;

/** A handler with a gate: `allow` runs before the body is validated and answers 404 or 403 (order of refusals). */
export interface Gated<E> {
  allow: (input: GateInput<E>, ctx: Context) => void | Promise<void>;
  run: Run<E>;
}

/** One handler per endpoint of a table: a missing or ill-typed one does not compile. */
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Run<T[K]> | Gated<T[K]> };

/** The parts of a call of any endpoint, parsed by what it declares. */
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

/** A resource ready to be mounted. */
export interface Mounted {
  table: EndpointTable;
  handlers: Record<string, AnyGated>;
}

/** Pairs a table with its handlers. */
export function handle<T extends EndpointTable>(table: T, handlers: Handlers<T>): Mounted {
  const gated = Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      typeof handler === 'function' ? { allow: () => undefined, run: handler } : handler,
    ]),
  );
  return { table, handlers: gated };
}
