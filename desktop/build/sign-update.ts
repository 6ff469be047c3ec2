/** The publisher's command: makes a signing key, or signs the packages of a version as an update. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { makeSigningKey, publicKeyOf, publishUpdate, readSigningKey } from './update-signing.ts';

const usage = `node desktop/build/sign-update.ts --make-key FILE
node desktop/build/sign-update.ts --key FILE --artefacts DIR --to DIR [options]

  --make-key FILE    make a private key, and print the public key for update-keys.json
  --key FILE         private key; give it twice while a key is replaced by another
  --artefacts DIR    folder with the packages of one version, as "npm run package" makes them
  --to DIR           folder of the update: for "benchbook updates add", or a USB drive
  --days DAYS        how long devices install it (default: 90). Sign it again before that
  --minimum VERSION  the oldest version that may update to it directly
  --notes FILE       what is new, as plain text
  --allow-fallback   sign packages with another Electron than that of package.json, for a trial

With the variable BENCHBOOK_UPDATE_PASSPHRASE, the private key is encrypted.
`;

const DAY = 24 * 60 * 60 * 1000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'make-key': { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      artefacts: { type: 'string' },
      to: { type: 'string' },
      days: { type: 'string', default: '90' },
      minimum: { type: 'string' },
      notes: { type: 'string' },
      'allow-fallback': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  // An empty variable counts as not set.
  const passphrase = process.env['BENCHBOOK_UPDATE_PASSPHRASE'] || undefined;
  const { artefacts, to, key, minimum, notes } = values;
  const made = values['make-key'];
  if (made !== undefined) return makeKey(made, passphrase);
  if (values.help || artefacts === undefined || to === undefined || key.length === 0)
    return void process.stdout.write(usage);
  const days = Number(values.days);
  if (!(days > 0 && days <= 3650)) throw new Error('--days is a number from 1 to 3650');
  const now = Date.now();
  const { version, expiresAt } = await publishUpdate(to, {
    artefacts,
    keys: key.map((file) => readSigningKey(readFileSync(file, 'utf8'), passphrase)),
    releasedAt: now,
    expiresAt: now + days * DAY,
    allowsFallback: values['allow-fallback'],
    ...(minimum === undefined ? {} : { minimumVersion: minimum }),
    ...(notes === undefined ? {} : { notes: readFileSync(notes, 'utf8') }),
  });
  process.stdout.write(`Signed version ${version} in ${to}. Devices install it until ${expiresAt}.\n`);
}

function makeKey(file: string, passphrase: string | undefined): void {
  const pem = makeSigningKey(passphrase);
  // A key that exists is never overwritten: apps that know it could not be updated any more.
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  const isOpen = passphrase === undefined ? ' It is not encrypted.' : '';
  process.stdout.write(
    `The private key is in ${file}.${isOpen} Store a copy of it offline.\nPublic key, for update-keys.json:\n${publicKeyOf(readSigningKey(pem, passphrase))}\n`,
  );
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
