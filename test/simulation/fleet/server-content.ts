import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { createAccount } from '#server/features/users/store.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import { must } from '#shared/must.ts';

import { lineTeam, password, torqueLimits, type Account } from './server-names.ts';

/** What a server has at the start of a run. */
export interface Content {
  guides: number;
  /** Whether there is a team with a lead, of which everyone is a member, and forms have limits and required fields. */
  hasLine: boolean;
}

type Call = (
  token: string,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
) => Promise<{ status: number; body: unknown }>;

/** Fields with limits, with an answer that says that a check failed, and fields that a finished order must have. */
const fieldsOfLine = [
  {
    field_type: 'Numeric Input',
    label: 'Torque',
    options: {
      limit_decimals: false,
      decimals: 0,
      limit_min: true,
      min: torqueLimits.min,
      limit_max: true,
      max: torqueLimits.max,
    },
  },
  { field_type: 'Radios', label: 'Result', options: ['OK', 'Fail'] },
  { field_type: 'Text Input', label: 'Lot', required: true },
  { field_type: 'Text Input', label: 'Tool', required: true },
];

/**
 * Creates the accounts of an administrator, a client without a device and people, and a category. `mark`: a prefix of
 * names and addresses.
 */
export async function createAccounts(services: Services, people: number, mark = ''): Promise<Account[]> {
  const names = ['Admin', 'Plain', ...['Ana', 'Ben', 'Eva', 'Ole'].slice(0, people)].map(
    (name) => mark + name,
  );
  const accounts: Account[] = [];
  for (const name of names) {
    const privileges =
      name === 'Admin'
        ? ['User', 'Admin']
        : name === 'Plain' || name === 'Ana'
          ? ['User', 'Author', 'Moderator']
          : ['User', 'Author'];
    const email = `${name.toLowerCase()}@example.com`;
    const { userid, token } = await contextForJob(services, null, async (ctx) => {
      const made = await createAccount(ctx, {
        username: name,
        unique_username: name.toLowerCase(),
        email,
        passwordHash: await services.passwords.hash(password),
        // Only a password of one's own proves who an administrator is.
        passwordIsOwn: name === 'Admin',
        privileges,
      });
      return { userid: made, token: await issueToken(ctx, made, 'test') };
    });
    accounts.push({ name, email, userid, token, privileges });
  }
  await contextForJob(services, null, async (ctx) => {
    const stub = stubOf({ namespace: 'CATEGORY', title: 'Radio', langid: 'en', parent: null, userid: 0 });
    await saveWiki(ctx, { ...stub, contents_raw: '' });
  });
  return accounts;
}

/** Creates teams, guides and pages. `call`: sends a call with a token. */
export async function createContent(
  call: Call,
  accounts: Account[],
  { guides, hasLine }: Content,
): Promise<void> {
  const made = async (token: string, path: string, body: object): Promise<{ [name: string]: unknown }> => {
    const { status, body: said } = await call(token, 'POST', path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(said)}`);
    return said as { [name: string]: unknown };
  };
  const admin = must(accounts[0], 'an administrator');
  await made(admin.token, '/teams', { name: 'Repair' });
  if (hasLine) {
    // The first person is the lead. The client without a device stays when everyone leaves.
    const lead = must(accounts[2], 'a person');
    await made(lead.token, '/teams', { name: 'Line' });
    for (const { userid } of [must(accounts[1], 'the plain client'), ...accounts.slice(3)])
      await call(lead.token, 'PUT', `/teams/${lineTeam}/users/${userid}`, {});
  }
  for (let n = 1; n <= guides; n += 1) {
    const author = must(accounts[1 + (n % (accounts.length - 1))], 'an account');
    const { steps } = await made(author.token, '/guides', {
      category: 'Radio',
      type: 'repair',
      title: `Guide ${n}`,
      public: n % 4 !== 0,
      introduction: 'Turn the radio off.',
      summary: 'A short one',
      steps: ['One', 'Two', 'Three'].map((title) => ({
        title: `Step ${title}`,
        lines: [{ text: 'Remove the four red screws.' }, { text: 'Lift the cover.' }],
      })),
    });
    const [step] = steps as { stepid: number }[];
    if (n % 2 === 0 || hasLine)
      await made(author.token, `/step_forms/${step?.stepid}`, {
        fields: [
          { field_type: 'Text Input', label: 'Serial' },
          { field_type: 'Image', label: 'Photo' },
          ...(hasLine ? fieldsOfLine : []),
        ],
      });
  }
  for (const n of [1, 2, 3]) {
    const { token } = must(accounts[1], 'an account');
    await made(token, '/wikis', {
      namespace: 'INFO',
      title: `Page ${n}`,
      contents: 'What this page says.',
    });
  }
  const part = { type: 'screw', supplier: 'Parts Ltd', url: 'https://parts.example/' };
  const { token } = must(accounts[1], 'an account');
  await made(token, '/wikis', {
    namespace: 'ITEM',
    title: 'Screw',
    contents: 'Two lengths of it.',
    suppliers: ['4 mm', '6 mm'].map((length) => ({ ...part, 'part_#': length })),
  });
}
