import sharp from 'sharp';

import type { ApiClient, Entry } from './api-client.ts';
import { isAbout, shown } from './clock.ts';
import type { Device } from './device.ts';
import { editAsAna, editAsBen, editedGuide, reviseOverlap, wordsOfBoth } from './edits.ts';
import type { Report } from './report.ts';
import { checkDeviation, release } from './release.ts';
import { administratorClient, credentials, onDevices, type Stage } from './stage.ts';
import { grinderGuide, recordedValues, runWorkOrder, type Photos, type WorkOrderRun } from './work-order.ts';

interface GuideRecord {
  guideid: number;
  revisionid: number;
  title: string;
  summary: string;
  steps: { stepid: number; title: string; lines: { text_rendered: string; text_raw: string }[] }[];
}

/** The main job, from the first sign-in to a plain API client's view of it. */
export async function playMainJob(stage: Stage): Promise<void> {
  const { report } = stage;
  await onDevices(stage, ['Ana', 'Ben'], async (ana, ben) => {
    await firstSync(stage, [ana, ben]);
    const api = await administratorClient(stage);
    const before = await api.get<GuideRecord>(`/guides/${editedGuide}`);
    const photos = { belt: await drawPhoto('#556'), deviation: await drawPhoto('#655') };
    const run = await workOffline(report, ana, ben, before, photos);
    await comeBack(report, ana, ben, api);
    await release(report, ana, ben, run);
    await readAsStranger(report, api, before, run, photos);
  });
}

async function firstSync(stage: Stage, devices: Device[]): Promise<void> {
  const { report } = stage;
  report.act('1  Both technicians sign in and sync the library');
  for (const device of devices) {
    const startedAt = performance.now();
    await device.signIn(...credentials(stage, device.name));
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

function drawPhoto(background: string): Promise<Buffer> {
  const belt = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="${background}"/><ellipse cx="400" cy="300" rx="300" ry="120" fill="none" stroke="#222" stroke-width="40"/></svg>`;
  return sharp(Buffer.from(belt)).jpeg({ quality: 90 }).toBuffer();
}

async function workOffline(
  report: Report,
  ana: Device,
  ben: Device,
  before: GuideRecord,
  photos: Photos,
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
  const run = await runWorkOrder(ben, report, photos);
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

async function readAsStranger(
  report: Report,
  api: ApiClient,
  before: GuideRecord,
  run: WorkOrderRun,
  photos: Photos,
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
  report.promise(
    `Its duration is ${entry.duration} s by the server, ${shown(run.totalMs)} by the stopwatch; without the pause ${entry.active_duration} s and ${shown(run.activeMs)}`,
    isAbout(entry.duration, run.totalMs) && isAbout(entry.active_duration, run.activeMs),
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
  await checkDeviation(report, api, entry, photos.deviation);
  const kinds = new Set(entry.work_data.map((one) => one.field_type));
  report.promise('Every kind of form field was recorded', kinds.size === 9, [...kinds]);
  const picture = entry.work_data.find((one) => one.field_type === 'Image')?.image_src?.original;
  report.promise('The photo is on the work order', picture !== undefined, entry.work_data);
  const bytes = await api.bytes(picture ?? '');
  report.promise(
    `The photo has the same ${photos.belt.length} bytes`,
    bytes.equals(photos.belt),
    bytes.length,
  );
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
