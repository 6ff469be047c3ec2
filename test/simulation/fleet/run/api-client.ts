import type { Account } from '../server-names.ts';
import type { RunContext } from './context.ts';

/** The server's response to a client without a device. */
export interface Said {
  status: number;
  body: unknown;
}

/** Calls of people without a device. */
export class ApiClient {
  readonly #context: Pick<RunContext, 'server' | 'clock' | 'connections'>;

  constructor(context: Pick<RunContext, 'server' | 'clock' | 'connections'>) {
    this.#context = context;
  }

  /** A call by a person, who signs in again after months without a call. */
  async call(account: Account, method: string, path: string, body: object | null): Promise<Said> {
    const { server } = this.#context;
    const first = await this.attempt(account, method, path, body);
    if (first.status !== 401) return first;
    account.token = await server.newToken(account.userid);
    return this.attempt(account, method, path, body);
  }

  /** A call with the token that the account has. `headers`: further ones. */
  async attempt(
    { token }: Pick<Account, 'token'>,
    method: string,
    path: string,
    body: object | null,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    const { server, clock, connections } = this.#context;
    const { chunks, ...said } = await server.call(token, method, path, body, clock.now, headers);
    connections.hear(chunks);
    return said;
  }
}
