import sharp from 'sharp';

import type { ServerProcess } from '#test/support/server-process.ts';

import { ApiClient } from './api-client.ts';
import type { OpenWindow } from './app-window.ts';
import { Device } from './device.ts';
import { editAsAna, editAsBen, editedGuide, reviseOverlap, wordsOfBoth } from './edits.ts';
import type { Report } from './report.ts';
import { deviation, grinderGuide, recordedValues, runWorkOrder, type WorkOrderRun } from './work-order.ts';

interface Stage {
  shots: string;
  open: OpenWindow;
}

interface GuideRecord {
  guideid: number;
  revisionid: number;
  title: string;
  summary: string;
  steps: { stepid: number; title: string; lines: { text_rendered: string; text_raw: string }[] }[];
}

interface Deviation {
  note: string;
  value: { value: string; limits: { min: number | null; max: number | null } };
  decision: { disposition: string; reason: string } | null;
}

/** Maximum difference in seconds between the server's duration and the demo's stopwatch. */
const toleranceSeconds = 2;

/**
 * The main job, from first sign-in to a plain API client's view of it. Checks use only the screen and the public API.
 */
export async function play(server: ServerProcess, report: Report, { shots, open }: Stage): Promise<void> {
  const ana = await Device.unpack('Ana', server.url, shots, open);
  const ben = await Device.unpack('Ben', server.url, shots, open);
  const api = new ApiClient(server.url);
  try {
    await firstSync(server, report, [ana, ben]);
    const before = await guideBefore(api, server);
    const photo = await drawPhoto();
    const run = await workOffline(report, ana, ben, before, photo);
    await comeBack(report, ana, ben, api);
    await release(report, ana, ben, run);
    await readAsStranger(report, api, before, run, photo);
    const troubles = [...ana.troubles, ...ben.troubles];
    report.promise('No page of the app reported an error', troubles.length === 0, troubles);
  } catch (error) {
    for (const device of [ana, ben])
      await device.shot(`broken-${device.name.toLowerCase()}`).catch(() => undefined);
    throw error;
  } finally {
    await ana.put();
    await ben.put();
  }
}

function credentials(server: ServerProcess, name: string): [string, string] {
  const entry = [...server.passwords].find(([email]) => email.startsWith(name.toLowerCase()));
  if (entry === undefined) throw new Error(`The first start printed no password for ${name}`);
  return entry;
}

async function firstSync(server: ServerProcess, report: Report, devices: Device[]): Promise<void> {
  report.act('1  Both technicians sign in and sync the library');
  for (const device of devices) {
    const startedAt = performance.now();
    await device.signIn(...credentials(server, device.name));
    await device.status(/^Synced/);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const kilobytes = Math.round(device.wire.received / 1024);
    const heading = await device.page
      .getByText(/^[1-9]\d* guides/)
      .first()
      .innerText();
    const guides = Number(/^\d+/.exec(heading)?.[0] ?? 0);
    report.promise(
      `${device.name} has ${guides} guides after ${seconds} s and ${kilobytes} KB on the wire`,
      guides >= 60,
      heading,
    );
    for (const guideid of [editedGuide, grinderGuide]) await device.download(guideid);
    report.fact(`${device.name} has stored the pictures of two guides for offline use: "Ready offline"`);
    await device.shot(`1-${device.name.toLowerCase()}-library`);
  }
}

async function guideBefore(api: ApiClient, server: ServerProcess): Promise<GuideRecord> {
  await api.signIn(...credentials(server, 'Mira'));
  return api.get<GuideRecord>(`/guides/${editedGuide}`);
}

function drawPhoto(): Promise<Buffer> {
  const belt =
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#556"/><ellipse cx="400" cy="300" rx="300" ry="120" fill="none" stroke="#222" stroke-width="40"/></svg>';
  return sharp(Buffer.from(belt)).jpeg({ quality: 90 }).toBuffer();
}

async function workOffline(
  report: Report,
  ana: Device,
  ben: Device,
  before: GuideRecord,
  photo: Buffer,
): Promise<WorkOrderRun> {
  report.act('2  Both go offline; Ana and Ben edit the same guide, Ben runs a timed work order');
  await ana.goOffline();
  await ben.goOffline();
  report.fact('Both connections are cut, with their open sockets; both apps say that they are offline');
  await editAsAna(ana);
  report.promise(
    'Ana rewrote a line of step 2 and reordered two steps: saved on her device',
    await ana.page
      .getByLabel('Sync status')
      .first()
      .innerText()
      .then((text) => /change/.test(text)),
  );
  await ana.shot('2-ana-offline');
  await editAsBen(ben);
  report.fact('Ben edited a line of step 5, the title, and a word in the line that Ana rewrote');
  await ben.shot('2-ben-offline');
  const run = await runWorkOrder(ben, report, photo);
  const shown = await ben.readGuide(before.guideid);
  report.promise(
    "Ben's edits are still there after the kill",
    shown.title.includes('with screws') && JSON.stringify(shown).includes('two nails'),
    shown.title,
  );
  return run;
}

async function comeBack(report: Report, ana: Device, ben: Device, api: ApiClient): Promise<void> {
  report.act('3  Ana comes back online, then Ben; the edits are merged, and Ben decides the contradiction');
  report.expect("Ana's edit reaches the server when she comes back online");
  await ana.goOnline();
  await ana.status(/^Synced/);
  const afterAna = await api.get<GuideRecord>(`/guides/${editedGuide}`);
  report.promise(
    `The server has Ana's edit as revision ${afterAna.revisionid}`,
    JSON.stringify(afterAna).includes('10 foot'),
    afterAna.steps[1]?.lines,
  );
  const lost = ben.wire.loseAnswerOf('/sync/1/batch', 2);
  await ben.goOnline();
  await lost;
  report.fact("Ben's first batch reached the server twice, and both answers were lost");
  report.expect(
    "Ben's save meets a 409, and the overlap waits for his decision instead of being overwritten",
  );
  const said = await ben.status(/1 decision is waiting for you|^Synced/);
  if (said.startsWith('Synced')) throw new Error(`The status of Ben says "${said}"`);
  const middle = await api.get<GuideRecord>(`/guides/${editedGuide}`);
  report.promise(
    "Ana's words are not overwritten while the decision waits",
    JSON.stringify(middle).includes('10 foot'),
    middle.steps[1]?.lines,
  );
  report.fact(
    "Ben's save was answered with 409: the title and step 5 were merged, one line waits for a decision",
  );
  report.expect('The overlap shows as a conflict and is decided in the app');
  await reviseOverlap(ben, report);
  report.expect('Both devices and the server end up equal');
  await ben.status(/^Synced/);
  const settled = await api.get<GuideRecord>(`/guides/${editedGuide}`);
  const text = JSON.stringify(settled);
  const missing = wordsOfBoth.filter((words) => !text.includes(words));
  report.promise('Every edit of Ana and Ben is in the guide on the server', missing.length === 0, missing);
  report.promise(
    'Every step is in the guide once',
    new Set(settled.steps.map((step) => step.stepid)).size === settled.steps.length,
  );
  const order = settled.steps.map((step) => step.stepid);
  report.promise("The steps have Ana's order", order.indexOf(1004) < order.indexOf(1003), order);
  for (const device of [ana, ben]) {
    await sameOnScreen(report, device, settled);
    await device.shot(`3-${device.name.toLowerCase()}-merged`);
  }
}

/** Waits until the device shows the server's guide, step for step. */
async function sameOnScreen(report: Report, device: Device, record: GuideRecord): Promise<void> {
  const wanted = {
    title: record.title,
    steps: record.steps.map((step, index) => ({
      title: step.title === '' ? `Step ${index + 1}` : step.title,
      lines: step.lines.map((line) => plain(line.text_rendered)),
    })),
  };
  let shown: unknown;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const read = await device.readGuide(record.guideid);
    shown = {
      title: read.title,
      steps: read.steps.map((step) => ({ ...step, lines: step.lines.map(plain) })),
    };
    if (JSON.stringify(shown) === JSON.stringify(wanted)) break;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  report.promise(
    `${device.name}'s screen and GET /guides/${record.guideid} are equal, step for step (${record.steps.length} steps)`,
    JSON.stringify(shown) === JSON.stringify(wanted),
    {
      shown,
      wanted,
    },
  );
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

interface Entry {
  entryid: number;
  workorderid: string;
  status: string;
  duration: number;
  active_duration: number;
  work_data: { label: string; field_type: string; value: string; image_src?: { original: string } }[];
}

/** Ana, who owns the team, decides about the value that Ben recorded out of its limits. */
async function release(report: Report, ana: Device, ben: Device, run: WorkOrderRun): Promise<void> {
  report.act("4  Ana leads Ben's team and decides about the value out of its limits");
  await ana.go('/board');
  await ana.page.getByRole('link', { name: run.number }).first().waitFor();
  const section = ana.page.getByRole('region', { name: 'Deviations to decide' });
  await section.getByText(deviation.note).waitFor();
  report.promise(
    "Ana sees Ben's work order on her board, with the value above its limit and what he wrote",
    await section.getByText('Measured 9.9').isVisible(),
  );
  await ana.shot('4-ana-board');
  await ana.goOffline();
  await ana.button('Decide', section).click();
  const dialog = ana.page.getByRole('dialog');
  await dialog.getByText('Use as is', { exact: true }).click();
  await dialog.getByLabel('Reason').fill(deviation.reason);
  await ana.button('Save decision', dialog).click();
  await dialog.waitFor({ state: 'detached' });
  await ana.goOnline();
  await ana.status(/^Synced/);
  await ben.go('/deviations');
  await ben.page.getByText(deviation.reason).waitFor();
  report.promise(
    'Ana releases it offline with a reason, and Ben sees her decision when both are online',
    true,
  );
  await ben.shot('4-ben-deviation');
}

async function readAsStranger(
  report: Report,
  api: ApiClient,
  before: GuideRecord,
  run: WorkOrderRun,
  photo: Buffer,
): Promise<void> {
  report.act('5  A plain API client checks the result');
  const page = await api.get<{ results: Entry[] }>(`/work_log?workorderid=${run.number}`);
  report.promise(
    `There is one work order ${run.number}, although its batch was delivered twice`,
    page.results.length === 1,
    page.results.length,
  );
  const entry = await api.get<Entry>(`/work_log/${page.results[0]?.entryid}`);
  report.promise('It is complete', entry.status === 'complete', entry.status);
  // The API counts whole seconds.
  const total = Math.abs(entry.duration - Math.floor(run.totalMs / 1000));
  const active = Math.abs(entry.active_duration - Math.floor(run.activeMs / 1000));
  report.promise(
    `Its duration is ${entry.duration} s by the server, ${(run.totalMs / 1000).toFixed(1)} s by the stopwatch; without the pause ${entry.active_duration} s and ${(run.activeMs / 1000).toFixed(1)} s`,
    total <= toleranceSeconds && active <= toleranceSeconds,
    { duration: entry.duration, active_duration: entry.active_duration, stopwatch: run },
  );
  for (const [label, value] of recordedValues) {
    const found = entry.work_data.find((one) => one.label === label);
    report.promise(
      `"${label}" is ${value.length > 30 ? 'as entered' : value}`,
      found?.value === value,
      found,
    );
  }
  const deviations = await api.get<Deviation[]>(`/deviations?workorderid=${run.number}`);
  const [released] = deviations;
  report.promise(
    'There is one deviation, with the value, its limits, and the release by the lead with the reason',
    deviations.length === 1 &&
      released?.value.value === '9.9' &&
      released.note === deviation.note &&
      released.decision?.disposition === 'use-as-is' &&
      released.decision.reason === deviation.reason,
    deviations,
  );
  const kinds = new Set(entry.work_data.map((one) => one.field_type));
  report.promise('Every kind of form field was recorded', kinds.size === 9, [...kinds]);
  const picture = entry.work_data.find((one) => one.field_type === 'Image')?.image_src?.original;
  report.promise('The photo is on the work order', picture !== undefined, entry.work_data);
  const bytes = await api.bytes(picture ?? '');
  report.promise(`The photo has the same ${photo.length} bytes`, bytes.equals(photo), bytes.length);
  const stale = await api.call('PATCH', `/guides/${before.guideid}?revisionid=${before.revisionid}`, {
    summary: 'Too late',
  });
  const current = await api.get<GuideRecord>(`/guides/${before.guideid}`);
  report.promise('A patch with the old revisionid is answered with 409', stale.status === 409, stale.status);
  report.promise(
    '… with the current guide as its body',
    (stale.body as GuideRecord).revisionid === current.revisionid,
    stale.body,
  );
}
