import { readFile } from 'node:fs/promises';

import type { Command } from 'commander';

import { siteEdit, type SiteEdit } from '#shared/api/site.ts';
import { BadSetting } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { editedSite, siteRecordOf } from '#server/features/site/record.ts';
import { mustHaveProvider } from '#server/features/sign-on/requests.ts';
import { metadataOf, serviceProvider } from '#server/features/sign-on/saml.ts';
import { loadSite, reloadSite, saveSite } from '#server/core/site.ts';

import { problemOf } from './site-commands.ts';
import type { Answer } from './answers.ts';
import type { Runner } from './terminal.ts';

interface Options {
  entryPoint: string;
  certificate: string[];
  issuer?: string;
  idpIssuer?: string;
  attribute?: string;
  signInName?: string;
  matchEmail?: true;
  emailAttribute?: string;
  createAccounts?: true;
  nameAttribute?: string;
}

const example = `
Example:
  benchbook site set address https://guides.example.org
  benchbook sign-on set --entry-point https://login.example.org/saml --certificate idp.pem --attribute employeeID
  benchbook sign-on metadata > site.xml     (for the identity provider)`;

/** `benchbook sign-on set|metadata|off`. */
export function addSignOnCommands(program: Command, runner: Runner): void {
  const signOn = program
    .command('sign-on')
    .description('The identity provider (SAML 2) with which people may sign, and sign in')
    .addHelpText('after', example);
  signOn
    .command('set')
    .description('Set it up; the address of the site must be set')
    .requiredOption('--entry-point <url>', 'where people are sent to authenticate')
    .requiredOption('--certificate <file...>', 'certificates (PEM) with which the provider signs')
    .option('--issuer <name>', 'how the site calls itself there; default: the address of its metadata')
    .option('--idp-issuer <name>', 'how the provider calls itself')
    .option('--attribute <name>', 'the attribute that holds the single sign-on id; default: the NameID')
    .option('--sign-in-name <name>', 'people also sign in so, by a button that names it')
    .option(
      '--match-email',
      'accounts without a single sign-on id are found by their e-mail address at sign-in',
    )
    .option('--email-attribute <name>', 'the attribute that holds the e-mail address; default: the NameID')
    .option('--create-accounts', 'create an account for each person who signs in with the provider')
    .option('--name-attribute <name>', 'the attribute that holds the name of a new account')
    .action(runner.act(setUp));
  signOn
    .command('metadata')
    .description('Print the metadata of the site as XML')
    .action(
      runner.act(async (services) => {
        const metadata = metadataOf(services.site, mustHaveProvider({ services }));
        return { data: { metadata }, lines: [metadata] };
      }),
    );
  signOn
    .command('off')
    .description('Forget the identity provider: people sign with their passwords')
    .action(
      runner.act(async (services) => {
        await edit(services, { sign_on: null });
        return { data: { sign_on: null }, lines: ['People sign with their passwords.'] };
      }),
    );
}

async function setUp(services: Services, options: Options): Promise<Answer> {
  const parsed = siteEdit.safeParse({
    sign_on: {
      entry_point: options.entryPoint,
      certificates: await Promise.all(options.certificate.map(textOf)),
      issuer: options.issuer ?? null,
      idp_issuer: options.idpIssuer ?? null,
      attribute: options.attribute ?? null,
      sign_in_name: options.signInName ?? null,
      match_email: options.matchEmail ?? false,
      email_attribute: options.emailAttribute ?? null,
      create_accounts: options.createAccounts ?? false,
      name_attribute: options.nameAttribute ?? null,
    },
  });
  if (!parsed.success) throw problemOf(parsed.error);
  await edit(services, parsed.data);
  const { consumer, issuer } = serviceProvider(services.site);
  return {
    data: siteRecordOf(services.site).sign_on,
    lines: [
      options.signInName === undefined
        ? 'People can sign with the identity provider.'
        : 'People can sign, and sign in, with the identity provider.',
      `Entity id: ${issuer}`,
      `Answers go to: ${consumer}`,
    ],
  };
}

async function edit(services: Services, change: SiteEdit): Promise<void> {
  await contextForJob(services, null, async (ctx) =>
    saveSite(ctx, editedSite(await loadSite(ctx.db), change)),
  );
  await reloadSite(services);
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new BadSetting(`${path} cannot be read.`, { cause });
  });
}
