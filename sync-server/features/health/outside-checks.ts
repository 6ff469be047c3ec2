import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';

import { createTransport } from 'nodemailer';

import type { Site } from '#server/core/site-settings.ts';

import { fault, ok, span, warning, type Finding } from './finding.ts';

/** A certificate that ends within this time is a warning, ms. */
const soonMs = 21 * 24 * 3_600_000;
/** Timeout for other servers, ms. */
const waitMs = 10_000;

/** Checks the certificate that devices receive: of `certFile`, or of the server at the address of the site. */
export async function checkCertificate(
  certFile: string | undefined,
  address: string | null,
  now: number,
): Promise<Finding[]> {
  const check = 'certificate';
  try {
    const found =
      certFile === undefined ? await certificateAt(address) : new X509Certificate(await readFile(certFile));
    if (found === null)
      return [
        warning(
          check,
          'The site has no https address, so devices reach it without encryption or not at all.',
          'Set one ("benchbook site set address https://…") and put a proxy with a certificate before the server, or start it with --tls-cert.',
        ),
      ];
    return [judged(check, `The certificate of ${certFile ?? String(address)}`, found, now, 'Renew it.')];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      fault(
        check,
        `The certificate of ${certFile ?? String(address)} cannot be read: ${message}.`,
        'See whether the file, or the proxy at the address of the site, is there.',
      ),
    ];
  }
}

function judged(
  check: string,
  what: string,
  certificate: X509Certificate,
  now: number,
  advice: string,
): Finding {
  const left = certificate.validToDate.getTime() - now;
  if (left <= 0) return fault(check, `${what} ended ${span(-left)} ago.`, advice);
  if (left < soonMs) return warning(check, `${what} ends in ${span(left)}.`, advice);
  return ok(check, `${what} is valid for another ${span(left)}.`);
}

async function certificateAt(address: string | null): Promise<X509Certificate | null> {
  const url = address === null ? null : URL.parse(address);
  if (url?.protocol !== 'https:') return null;
  return new Promise((resolve, reject) => {
    // Certificates that a browser refuses are checked too.
    const socket = connect(
      {
        host: url.hostname,
        port: Number(url.port || 443),
        servername: url.hostname,
        rejectUnauthorized: false,
        timeout: waitMs,
      },
      () => {
        const found = socket.getPeerX509Certificate();
        socket.destroy();
        if (found === undefined) reject(new Error('it sent none'));
        else resolve(found);
      },
    );
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${waitMs / 1000} seconds`)));
  });
}

/** Signs in to the mail server. Sends nothing. */
export async function checkMail({ smtp }: Pick<Site, 'smtp'>): Promise<Finding[]> {
  const check = 'mail';
  if (smtp === null)
    return [
      warning(
        check,
        'No mail server is set.',
        'Without it, people cannot reset their password by email, and administrators learn about failures only from the log. Set it in the site settings.',
      ),
    ];
  const { host, port, tls, user, password } = smtp;
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
    await transport.verify();
    return [ok(check, `The mail server ${host} takes mail.`)];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      fault(
        check,
        `The mail server ${host}:${port} refuses: ${message}.`,
        'Correct the mail settings of the site.',
      ),
    ];
  } finally {
    transport.close();
  }
}

/** Checks the certificates of the identity provider. One valid certificate is enough to sign in. */
export function checkSignOn({ sign_on }: Pick<Site, 'sign_on'>, now: number): Finding[] {
  const check = 'sign-on';
  if (sign_on === null) return [ok(check, 'Single sign-on is off.')];
  const found = sign_on.certificates.map((pem) => {
    try {
      return new X509Certificate(pem);
    } catch {
      return null;
    }
  });
  const readable = found.filter((one) => one !== null);
  const advice =
    'Ask for the new certificate of the identity provider, and set both ("benchbook sign-on set") before the old one ends.';
  if (readable.length === 0)
    return [fault(check, 'No certificate of the identity provider can be read.', advice)];
  const longest = readable.reduce((one, other) => (other.validToDate > one.validToDate ? other : one));
  return [judged(check, 'The certificate of the identity provider', longest, now, advice)];
}
