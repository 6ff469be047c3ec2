import { createClient, type Client } from '#shared/api/client.ts';
import { comments } from '#shared/api/comments.ts';
import { guides } from '#shared/api/guides.ts';
import { media } from '#shared/api/media.ts';
import { stepForms } from '#shared/api/step-forms.ts';
import { workLog } from '#shared/api/work-log.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

import type { TestPerson, TestServer } from './server.ts';

const workshopTables = { comments, guides, media, stepForms, workLog };

/** A typed client for all resources around a guide. */
export function workshopClient(server: TestServer, person: TestPerson): Client<typeof workshopTables> {
  return createClient(workshopTables, { baseUrl: server.url, token: person.token });
}

/** The records of one collection that a person may see, as a new device of protocol 5 receives them: later fields are left out. */
export async function seenBy(
  server: TestServer,
  person: TestPerson,
  collection: SyncedCollection,
): Promise<FeedRow[]> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?collections=${collection}`, {
    headers: { Authorization: `api ${person.token}` },
  });
  const lines = (await response.text()).trim().split('\n');
  const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as FeedRow);
  return rows.filter((row) => row.c === collection);
}

/** A guide with two steps in an existing category. */
export async function makeGuide(person: TestPerson, isPublic = true): Promise<Guide> {
  return person.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      public: isPublic,
      steps: [
        { title: 'Open', lines: [{ text: 'Unplug it' }] },
        { title: 'Close', lines: [{ text: 'Plug it in' }] },
      ],
    },
  });
}

/** The id of a step of a guide, by its position from 0. */
export function stepAt(guide: Guide, index: number): number {
  return must(guide.steps[index], `step ${index}`).stepid;
}

/** A form on the first step: a torque, a result, and a photo. */
export async function makeForm(person: TestPerson, guide: Guide): Promise<StepForm> {
  const answer = await person.call('POST', `/step_forms/${stepAt(guide, 0)}`, {
    fields: [
      {
        field_type: 'Numeric Input',
        label: 'Torque',
        options: { limit_decimals: true, decimals: 1, limit_min: true, min: 0, limit_max: true, max: 40 },
      },
      { field_type: 'Radios', label: 'Result', options: ['pass', 'fail'] },
      { field_type: 'Image', label: 'Photo' },
    ],
  });
  return answer.body;
}
