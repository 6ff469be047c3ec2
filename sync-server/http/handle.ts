import type { CallInput, EndpointTable, HandlerResult } from '#shared/api/endpoint.ts';

import type { Context } from './context.ts';

type Run<E> = (input: CallInput<E>, ctx: Context) => HandlerResult<E> | Promise<HandlerResult<E>>;

/** A handler with a gate: `allow` runs before the body is validated and answers 404 or 403 (order of refusals). */
export interface Gated<E> {
  allow: (input: Pick<CallInput<E>, 'params' | 'query'>, ctx: Context) => void | Promise<void>;
  run: Run<E>;
}

/** One handler per endpoint of a table: a missing or ill-typed one does not compile. */
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Run<T[K]> | Gated<T[K]> };

/** A resource ready to be mounted. */
export interface Mounted {
  table: EndpointTable;
  handlers: Record<string, Gated<never>>;
}

/** Pairs a table with its handlers. */
export function handle<T extends EndpointTable>(table: T, handlers: Handlers<T>): Mounted {
  const gated = Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      typeof handler === 'function' ? { allow: () => undefined, run: handler } : handler,
    ]),
  );
  return { table, handlers: gated as Record<string, Gated<never>> };
}
