import type { Command } from 'commander';
import { z } from 'zod';

import { issueWords } from '#shared/api/issue-words.ts';
import { siteEdit } from '#shared/api/site.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import { secretParts } from '#shared/model/site-settings.ts';
import type { SiteRecord } from '#shared/model/site.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { checkProvider, editedSite, siteRecordOf } from '#server/features/site/record.ts';
import { loadSite, reloadSite, saveSite } from '#server/core/site.ts';

import { table, type Answer } from './answers.ts';
import { readSecret, type Runner } from './terminal.ts';

const examples = `
Examples:
  benchbook site set title "Workshop guides"
  benchbook site set languages en,de guide_types repair,maintenance
  benchbook site set public_registration true
  benchbook site set address https://guides.example.org smtp.host mail.example.org smtp.from guides@example.org
  benchbook site set smtp.password -     (reads the password from standard input)
  benchbook site set smtp none`;

/** `benchbook site get|set`. */
export function addSiteCommands(program: Command, runner: Runner): void {
  const site = program.command('site').description('Read and change the settings of the site');
  site
    .command('get')
    .description('Show all settings, or one')
    .argument('[name]', 'name of a setting, such as title or smtp.host')
    .action(runner.act(getSettings));
  site
    .command('set')
    .description('Change settings; a running server takes them up within a second')
    .argument('<name> <value...>', 'names and values in turn; "none" empties, "-" reads from standard input')
    .addHelpText('after', examples)
    .action(runner.act((services, words: string[]) => setSettings(services, runner, words)));
  site
    .command('new-key')
    .description('Make another server of this data folder to devices, when its server.key is lost')
    .action(runner.act(newKey));
}

async function newKey({ identity }: Services): Promise<Answer> {
  const { id } = await identity.replaceKey();
  return {
    data: { server: id },
    lines: [
      `This server is ${id} from now on.`,
      'Devices keep what they have not sent to the server of before, and show where it waits.',
    ],
  };
}

async function getSettings(services: Services, name: string | undefined): Promise<Answer> {
  const record = siteRecordOf(services.site);
  if (name !== undefined) {
    const value = settingOf(record, name);
    return { data: value, lines: [valueText(value)] };
  }
  return { data: record, lines: table(namedValues(record).map(([key, value]) => [key, valueText(value)])) };
}

function namedValues(record: object, before = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([key, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? namedValues(value, `${before}${key}.`)
      : [[before + key, value]],
  );
}

function settingOf(record: SiteRecord, name: string): unknown {
  const [top = '', inner] = name.split('.');
  if (!Object.hasOwn(record, top)) throw unknownSetting(name);
  const value: unknown = Object.entries(record).find(([key]) => key === top)?.[1];
  if (inner === undefined) return value;
  if (typeof value !== 'object' || value === null) return null;
  const found = Object.entries(value).find(([key]) => key === inner);
  if (found === undefined) throw unknownSetting(name);
  return found[1];
}

function unknownSetting(name: string): Problem {
  return invalid(name, 'there is no such setting; "benchbook site get" lists them');
}

function valueText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function setSettings(services: Services, runner: Runner, words: string[]): Promise<Answer> {
  if (words.length % 2 !== 0) throw invalid(words.at(-1) ?? '', 'give each name a value');
  const names = words.filter((_, index) => index % 2 === 0);
  const edit: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const word = words[index * 2 + 1] ?? '';
    put(edit, siteRecordOf(services.site), name, word === '-' ? await readSecret(runner.terminal) : word);
  }
  const parsed = siteEdit.safeParse(edit, { error: issueWords });
  if (!parsed.success) throw problemOf(parsed.error);
  await checkProvider(services, parsed.data);
  await contextForJob(services, null, async (ctx) =>
    saveSite(ctx, editedSite(await loadSite(ctx.db), parsed.data)),
  );
  await reloadSite(services);
  const record = siteRecordOf(services.site);
  const shown = names.filter((name) => !secretNames.has(name));
  return {
    data: record,
    lines: [
      ...shown.map((name) => `${name} is now ${valueText(settingOf(record, name))}.`),
      ...names.filter((name) => secretNames.has(name)).map((name) => `${name} is stored.`),
    ],
  };
}

const secretNames = new Set(secretParts.map(([setting, part]) => `${setting}.${part}`));

/** Adds one setting to an edit. Parts of a setting that are not named stay the same. */
function put(edit: Record<string, unknown>, record: SiteRecord, name: string, word: string): void {
  const [top = '', inner] = name.split('.');
  const schema = Object.entries(siteEdit.shape).find(([key]) => key === top)?.[1];
  if (schema === undefined) throw unknownSetting(name);
  if (inner === undefined) {
    const isList = Array.isArray(settingOf(record, top));
    edit[top] = firstFitting(
      candidateValues(word),
      (value) => schema.safeParse(value).success,
      isList ? word.split(',') : word,
    );
    return;
  }
  const known = edit[top] ?? settingOf(record, top) ?? {};
  const kept = Object.entries(known).filter(([key]) => !key.startsWith('has_'));
  const group = Object.fromEntries(kept);
  // A secret is text, even if it looks like a number.
  const values = secretNames.has(name) ? (word === 'none' ? [null] : [word]) : candidateValues(word);
  const fits = (value: unknown): boolean => {
    const result = schema.safeParse({ ...group, [inner]: value });
    return result.success || !result.error.issues.some((issue) => issue.path[0] === inner);
  };
  edit[top] = { ...group, [inner]: firstFitting(values, fits, word) };
}

/** Candidate values of a word, most likely first: null or an empty list, JSON, a text, a list. */
function candidateValues(word: string): unknown[] {
  return [...(word === 'none' ? [null, []] : []), ...jsonOf(word), word, word.split(',')];
}

/** The first value that fits; else `otherwise`, which gives the most helpful refusal. */
function firstFitting(values: unknown[], fits: (value: unknown) => boolean, otherwise: unknown): unknown {
  const index = values.findIndex(fits);
  return index < 0 ? otherwise : values[index];
}

function jsonOf(word: string): unknown[] {
  try {
    return [JSON.parse(word)];
  } catch {
    return [];
  }
}

/** Validation errors in the form of the API. */
export function problemOf(error: z.ZodError): Problem {
  return new Problem('invalid', 'Validation failed', {
    errors: error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  });
}
