import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  to: string[];
  text: string;
  user: string | undefined;
}

/** A mail server on a free port that takes mails of the user `guides` with the password `canary-smtp`. */
export async function startMailServer(): Promise<{
  port: number;
  mails: ReceivedMail[];
  close: () => Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'guides' && password === 'canary-smtp'
        ? done(null, { user: username })
        : done(new Error('Refused')),
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
  return { port, mails, close: () => new Promise((resolve) => server.close(resolve)) };
}
