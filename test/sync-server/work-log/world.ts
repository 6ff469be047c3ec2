import { expect } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { makeForm, makeGuide, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

const eight = Date.UTC(2026, 2, 2, 8);
export let now = eight;
export let server: TestServer;
export let ana: TestPerson;
export let ben: TestPerson;
export let cleo: TestPerson;
export let admin: TestPerson;
export let guide: Guide;
export let form: StepForm;

export async function startWorld(): Promise<void> {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  cleo = await server.person('Cleo', ['User']);
  admin = await server.person('Ada', ['User', 'Admin']);
  guide = await makeGuide(ana);
  form = await makeForm(ana, guide);
}
export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
}

export function wait(seconds: number): void {
  now += seconds * 1000;
}

export async function start(person: TestPerson, more: object = {}): Promise<WorkLogEntry> {
  const answer = await person.call('POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'WO-88',
    ...more,
  });
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

type Answer = { status: number; body: WorkLogEntry };

export async function move(
  person: TestPerson,
  entry: WorkLogEntry,
  name: string,
  body: object = {},
): Promise<Answer> {
  return person.call(
    name === 'step' || name === 'stepData' ? 'PUT' : 'POST',
    `/work_log/${entry.entryid}/${name}`,
    body,
  );
}

export function fieldId(label: string): number {
  return must(
    form.fields.find((one) => one.label === label),
    label,
  ).field_revisionid;
}

export async function upload(person: TestPerson): Promise<number> {
  const { default: sharp } = await import('sharp');
  const body = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const made = await workshopClient(server, person).media.addImage({
    query: { file: 'photo.png' },
    body: new Uint8Array(body),
  });
  return made.image.id;
}
