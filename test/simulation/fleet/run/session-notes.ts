import { textIn, type Answered, type Asked } from '../wire.ts';

/** What the server said to a device about its session and its calls. */
export class SessionNotes {
  /** The server's refusals: `key status` of calls, and 401 for the session. */
  readonly refused = new Set<string>();
  /** The token of the last sign-in, and that of the last completed one. */
  #issued: string | null = null;
  #token: string | null = null;

  /** The token of the last completed sign-in. */
  get token(): string | null {
    return this.#token;
  }

  /** Records the token of a sign-in. */
  noteToken({ method, url }: Asked, { status, body }: Answered): void {
    const isSignIn = url.endsWith('/user/token') || url.endsWith('/stations/enroll');
    if (method !== 'POST' || !isSignIn || status >= 300) return;
    this.#issued = (JSON.parse(textIn(body)) as { authToken: string }).authToken;
  }

  /** The sign-in is complete: refusals of earlier sessions do not concern the new one. */
  signedIn(): void {
    if (this.#token !== this.#issued) this.refused.delete('401');
    this.#token = this.#issued;
  }

  /** Records refusals in a response: of the session, of a whole request with all its calls, or of some of them. */
  noteRefusals(asked: Asked, { status, body }: Answered): void {
    // A refusal of a session that another sign-in has followed does not concern the current one.
    const isOfBefore = ![this.#token, this.#issued].some(
      (one) => asked.headers['authorization'] === `api ${one}`,
    );
    if (status === 401 && !isOfBefore) this.refused.add('401');
    if (status >= 400) {
      const keys = [...textIn(asked.body).matchAll(/"id":"([^"]+)"/g)].map(([, key = '']) => key);
      for (const key of [asked.headers['idempotency-key'] ?? '', ...keys])
        this.refused.add(`${key} ${status}`);
    }
    this.noteResults(textIn(body));
  }

  /** Records the refused calls of a batch, from the lines of its response. */
  noteResults(text: string): void {
    for (const [, key = '', status = ''] of text.matchAll(/"id":"([^"]+)","status":(4\d\d)/g)) {
      if (status === '401') this.refused.add('401');
      this.refused.add(`${key} ${status}`);
    }
  }
}
