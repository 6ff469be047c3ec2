import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

import type { SmtpSettings } from '#server/core/site-settings.ts';

interface ReceivedMail {
  to: string[];
  text: string;
  user: string | undefined;
}

interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** An address without a mailbox. */
  refuses?: string;
  close: () => Promise<void>;
}

/** Starts a mail server on a free port that accepts mails of the user `guides` with the password `canary-smtp`. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refusal: Pick<MailServer, 'refuses'> = {};
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'guides' && password === 'canary-smtp'
        ? done(null, { user: username })
        : done(new Error('Refused')),
    onRcptTo: ({ address }, _session, done) =>
      done(address === refusal.refuses ? new Error(`<${address}>: No such mailbox`) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8').replaceAll(/=\r\n/g, '').replaceAll('=3D', '='),
          user: session.user,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(refusal, {
    port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  });
}

/** Site settings that send mail through it. */
export function mailedBy({ port }: Pick<MailServer, 'port'>): { address: string; smtp: SmtpSettings } {
  return {
    address: 'https://guides.example.org',
    smtp: {
      host: '127.0.0.1',
      port,
      tls: false,
      user: 'guides',
      password: 'canary-smtp',
      from: 'guides@example.org',
    },
  };
}
