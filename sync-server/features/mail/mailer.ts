import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';

import type { SmtpSettings } from '#server/core/site-settings.ts';

declare module '#server/core/services.ts' {
  interface Services {
    mailer: Mailer;
  }
}

/** Timeout for the connection to the mail server and for each of its answers, ms. */
const waitMs = 10_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends mail over SMTP in the background, so that the answers of calls reveal neither success nor duration. A mail is
 * tried once: its text is secret and must not be stored for a retry, the mail server has its own queue, and a person
 * who waits for a link can request another.
 */
export class Mailer {
  readonly #settings: () => SmtpSettings | null;
  readonly #log: Logger;
  readonly #sending = new Set<Promise<void>>();

  /** `settings` is called each time a mail is sent. */
  constructor(settings: () => SmtpSettings | null, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Whether a mail server is configured. */
  get isConfigured(): boolean {
    return this.#settings() !== null;
  }

  /**
   * Sends a mail in the background. `settings` can name another mail server.
   *
   * - PASSWORD-RESET-8 A mail that could not be sent is logged without address and link.
   */
  send(mail: Mail, settings = this.#settings()): void {
    if (settings === null) return;
    const sending = deliver(settings, mail)
      .catch((error: unknown) => this.#note(error))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Sends a mail and waits for it. Returns why it could not be sent, which is logged; undefined: it was sent. */
  async attempt(mail: Mail): Promise<string | undefined> {
    try {
      await this.try(mail);
      return undefined;
    } catch (error) {
      this.#note(error);
      return failure(error).reason;
    }
  }

  #note(error: unknown): void {
    this.#log.error(failure(error), 'an e-mail could not be sent');
  }

  /**
   * Sends a mail and waits for it.
   *
   * - MAIL-1 A test mail says whether the mail server took it, in the words of the mail server if it did not.
   * @throws Error with these words
   */
  async try(mail: Mail): Promise<void> {
    const settings = this.#settings();
    if (settings === null) throw new Error('No mail server is set up.');
    try {
      await deliver(settings, mail);
    } catch (error) {
      throw new Error(failure(error).reason, { cause: error });
    }
  }

  /** Resolves when all mails that are being sent have succeeded or failed. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}

/** The reason of a failure in the words of the mail server, without e-mail addresses. */
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
