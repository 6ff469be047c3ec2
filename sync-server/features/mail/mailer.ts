import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';

import type { SmtpSettings } from '#server/core/site-settings.ts';

declare module '#server/core/services.ts' {
  interface Services {
    mailer: Mailer;
  }
}

/** Connecting to the mail server, and every answer of it, is waited for so long, ms. */
const waitMs = 10_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends mail over SMTP, beside the calls that cause it: their answers tell neither success nor time. A mail is tried
 * once: its text is a secret that must not lie in a database to be tried later, the relay has a queue of its own, and
 * whoever waits for a link asks for another.
 */
export class Mailer {
  readonly #settings: () => SmtpSettings | null;
  readonly #log: Logger;
  readonly #sending = new Set<Promise<void>>();

  /** `settings` are those of the moment in which a mail is sent. */
  constructor(settings: () => SmtpSettings | null, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Whether mails can leave at all. */
  get isConfigured(): boolean {
    return this.#settings() !== null;
  }

  /**
   * Sends in the background; a failure is logged without address and text. `settings`: a mail server other than the
   * current one.
   */
  send(mail: Mail, settings = this.#settings()): void {
    if (settings === null) return;
    const sending = deliver(settings, mail)
      .catch((error: unknown) => this.#log.error(failure(error), 'an e-mail could not be sent'))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Resolves when what is being sent has left or failed. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}

/** What failed, in the words of the mail server, which repeat the address that it refuses. */
function failure(error: unknown): { reason: string; code?: string } {
  if (!(error instanceof Error)) return { reason: 'unknown' };
  const reason = error.message.replaceAll(/[^\s<>"':]+@[^\s<>"':]+/g, '(address)');
  return { reason, ...('code' in error ? { code: String(error.code) } : {}) };
}

async function deliver(settings: SmtpSettings, mail: Mail): Promise<void> {
  const { host, port, tls, user, password, from } = settings;
  const transport = createTransport({
    host,
    port,
    secure: tls,
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
  });
  try {
    await transport.sendMail({ from, ...mail });
  } finally {
    transport.close();
  }
}
