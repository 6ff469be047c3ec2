import { typeKeys } from '#test/support/type-keys.ts';

import type { ApiClient, Entry } from './api-client.ts';
import { isAbout, readClock, shown } from './clock.ts';
import type { Device } from './device.ts';
import { atStep, finishOrder, press, saved, startOrder, toStep } from './player.ts';
import type { Report } from './report.ts';
import { administratorClient, credentials, onDevices, type Stage } from './stage.ts';
import { issueBadge, makeStation, setPin, type Person } from './station-admin.ts';
import { grinderGuide } from './work-order.ts';

/** The least that the settings of a station allow. */
const idleSeconds = 15;
const station = { name: 'Grinding shop', place: 'Hall 2, by the door', idleSeconds };

/** The people of the station, from the demo content, and how they sign in. */
const ana = { userid: 9102, name: 'Ana Ruiz', badge: '04A2F81C6B' };
const ben = { userid: 9103, name: 'Ben Okafor', pin: '4907' };

/** What both record at the kiosk, by label, as the API returns it. */
const byAna = {
  number: 'WO-2001',
  values: { 'Print on the new belt': '13 x 480 Li', 'Belt deflection at 10 N (mm)': '2.5' },
};
const byBen = { number: 'WO-2002', values: { 'Screw torque after refitting (Nm)': '2.9' } };

/** Stopwatch readings, ms since 1970. */
interface Run {
  startedAt: number;
  finishedAt: number;
}

/** Two people work at one kiosk without a network, and the power fails. */
export async function playKiosk(stage: Stage): Promise<void> {
  await onDevices(stage, ['Mira', 'Kiosk'], async (mira, kiosk) => {
    const { report } = stage;
    const api = await administratorClient(stage);
    const stationid = await setUp(stage, { mira, kiosk, api });
    const { startedAt } = await work(report, kiosk);
    const other = await workOfBen(report, kiosk, startedAt);
    const finishedAt = await powerCut(report, kiosk, startedAt);
    await arrive(stage, { mira, kiosk, api, stationid }, { ana: { startedAt, finishedAt }, ben: other });
  });
}

interface Cast {
  mira: Device;
  kiosk: Device;
  api: ApiClient;
}

async function setUp(stage: Stage, { mira, kiosk, api }: Cast): Promise<number> {
  const { report } = stage;
  report.act('6  An administrator makes a station, and a device enrols as the kiosk with its code');
  const [email, printed] = credentials(stage, 'Mira');
  // A password that somebody else may have read proves nothing.
  const password = 'grinding shop 4020';
  await api.changePassword(printed, password);
  await mira.signIn(email, password);
  await mira.status(/^Synced/);
  await issueBadge(mira, password, ana);
  await setPin(mira, password, ben);
  report.fact('Mira issues a badge to Ana, which a reader types, and sets a PIN for Ben');
  const { stationid, code } = await makeStation(mira, password, station);
  report.fact(
    `She makes the station "${station.name}" for the team Maintenance, which locks after ${idleSeconds} s, and reads its code`,
  );
  report.expect('The device enrols with the code');
  await kiosk.enter();
  const { page } = kiosk;
  await page.getByRole('link', { name: 'This device is a station' }).click();
  await page.getByRole('textbox', { name: 'Server address' }).fill(kiosk.wire.url);
  await page.getByLabel('Code of the station').fill(code);
  await kiosk.button('Make it a station').click();
  await locked(kiosk);
  await page.getByText(/^Synced/).waitFor();
  for (const { name } of [ana, ben]) await kiosk.button(new RegExp(name)).waitFor();
  report.promise(
    'The kiosk shows its lock screen with the name and place of the station, and both people',
    (await page.getByRole('banner').innerText()).includes(station.place),
  );
  await kiosk.shot('6-kiosk-locked');
  report.expect('A badge of nobody is refused');
  await typeKeys(kiosk, 'B0C0FFEE00', 0.01);
  await page.getByText('Nobody at this station has this badge').waitFor({ timeout: 20_000 });
  report.fact('A badge of nobody is refused');
  return stationid;
}

const locked = ({ page }: Device): Promise<void> =>
  page.getByRole('heading', { level: 1, name: 'Scan your badge' }).waitFor();

/** Signs in, and returns how long the person waits for their screen, ms. */
async function signInByBadge(kiosk: Device): Promise<number> {
  await typeKeys(kiosk, ana.badge, 0.01);
  const readAt = performance.now();
  await kiosk.button(new RegExp(`^${ana.name}: sign out`)).waitFor();
  return performance.now() - readAt;
}

/** Ana starts an order, records values without a network, and goes away in the middle of a text. */
async function work(report: Report, kiosk: Device): Promise<{ startedAt: number }> {
  const { page } = kiosk;
  report.act('7  Two people work at the kiosk without a network, one after the other, and the power fails');
  report.expect('Ana signs in with her badge');
  const waited = await signInByBadge(kiosk);
  report.fact(`Ana is signed in ${shown(waited)} after her badge was read`);
  await kiosk.goOffline();
  report.fact('The connection of the kiosk is cut');
  report.expect('Ana records without a network');
  const startedAt = await startOrder(kiosk, grinderGuide, byAna.number);
  await toStep(kiosk, 'Unplug and let it stop');
  await page.getByText('Plug locked, both wheels stand still').click();
  await saved(kiosk);
  await toStep(kiosk, 'Compare the belts');
  const print = page.getByLabel('Print on the new belt');
  await print.click();
  await print.pressSequentially(byAna.values['Print on the new belt']);
  const leftAt = performance.now();
  await kiosk.shot('7-kiosk-ana');
  report.fact(`Ana starts ${byAna.number}, records a value, and goes away while she types another`);

  report.expect('The station locks when nobody touches it');
  await page.getByText(`nobody touched the screen for ${idleSeconds} seconds`).waitFor({ timeout: 45_000 });
  const { running, clock } = await runningOf(kiosk, 'Running now');
  const elapsed = Date.now() - startedAt;
  report.promise(
    `The station locks ${shown(performance.now() - leftAt)} after the last key, and says whose order goes on, and at which step`,
    [byAna.number, ana.name, 'step 7, Compare the belts'].every((words) => running.includes(words)),
    running,
  );
  report.promise(
    `Its clock goes on: ${clock} s, ${shown(elapsed)} by the stopwatch`,
    isAbout(clock, elapsed),
    clock,
  );
  await kiosk.shot('7-kiosk-idle');
  return { startedAt };
}

/** The list of running orders with this title, and the clock of the only one, s. */
async function runningOf({ page }: Device, title: string): Promise<{ running: string; clock: number }> {
  const list = page.getByRole('region', { name: title });
  await list.waitFor();
  return { running: await list.innerText(), clock: await readClock(list.getByRole('timer')) };
}

/** Ben signs in with his PIN at the locked station, sees what Ana has left, and does an order of his own. */
async function workOfBen(report: Report, kiosk: Device, anaStartedAt: number): Promise<Run> {
  const { page } = kiosk;
  report.expect('Ben signs in with his PIN');
  await kiosk.button(new RegExp(ben.name)).click();
  await page.getByRole('heading', { level: 1, name: ben.name }).waitFor();
  // Slower than a reader.
  await page.keyboard.type(ben.pin, { delay: 90 });
  const pressedAt = await press(kiosk.button('Sign in'));
  await kiosk.button(new RegExp(`^${ben.name}: sign out`)).waitFor();
  report.fact(`Ben is signed in ${shown(Date.now() - pressedAt)} after he has entered his PIN`);
  const { running, clock } = await runningOf(kiosk, 'Also running here');
  const elapsed = Date.now() - anaStartedAt;
  report.promise(
    `He sees that the order of Ana runs there, for ${clock} s`,
    running.includes(byAna.number) && running.includes(ana.name) && isAbout(clock, elapsed),
    { running, elapsed },
  );
  await kiosk.shot('7-kiosk-ben');
  report.expect('Ben does an order of his own');
  const startedAt = await startOrder(kiosk, grinderGuide, byBen.number);
  await toStep(kiosk, 'Take off the belt cover');
  await enterNumber(kiosk, 'Screw torque after refitting', '2.9');
  const finishedAt = await finishOrder(kiosk, byBen.number);
  report.fact(`Ben records a value and finishes ${byBen.number}, while the order of Ana goes on`);
  return { startedAt, finishedAt };
}

/** Enters a number with the keypad on the screen. */
async function enterNumber(kiosk: Device, label: string, value: string): Promise<void> {
  const { page } = kiosk;
  await kiosk.button(new RegExp(`^${label}`)).click();
  const pad = page.getByRole('dialog');
  for (const key of value) await kiosk.button(key, pad).click();
  await kiosk.button('Save value', pad).click();
  await pad.waitFor({ state: 'detached' });
  await saved(kiosk);
}

/** Ana takes over the screen, the power fails, and she goes on where she was. Returns when she finishes. */
async function powerCut(report: Report, kiosk: Device, startedAt: number): Promise<number> {
  const { page } = kiosk;
  report.expect('Nothing that Ana entered is lost when the station locks');
  await kiosk.button('Switch person').click();
  await page.getByRole('dialog').getByText('Scan your badge').waitFor();
  const waited = await signInByBadge(kiosk);
  report.fact(`Ana takes over the screen with her badge, in ${shown(waited)}`);
  await atStep(kiosk, 'Compare the belts');
  const print = await page.getByLabel('Print on the new belt').inputValue();
  report.promise(
    'She is at her step again, with what she was typing when she went away',
    print === byAna.values['Print on the new belt'],
    print,
  );
  await toStep(kiosk, 'Set the tension');
  await enterNumber(kiosk, 'Belt deflection at 10 N', '2.5');

  report.expect('Nothing is lost when the power fails');
  await kiosk.cutPower();
  await locked(kiosk);
  const { running, clock } = await runningOf(kiosk, 'Running now');
  const elapsed = Date.now() - startedAt;
  report.promise(
    `Every process is killed and the kiosk starts again without a network: ${byAna.number} runs, for ${clock} s; ${shown(elapsed)} by the stopwatch`,
    running.includes(byAna.number) && running.includes(ana.name) && isAbout(clock, elapsed),
    { running, elapsed },
  );
  await kiosk.shot('7-kiosk-after-the-cut');
  report.expect('After the power cut Ana returns to the step and the value');
  const waitedAgain = await signInByBadge(kiosk);
  const step = kiosk.page.getByRole('heading', { level: 1, name: 'Set the tension' });
  await step.waitFor({ timeout: 20_000 });
  const box = await kiosk.button(/^Belt deflection at 10 N/).innerText();
  const order = await readClock(kiosk.page.getByRole('timer', { name: 'Working time' }));
  report.promise(
    `Ana scans her badge, and is at the same step and value ${shown(waitedAgain)} later, with the right clock`,
    box.includes('2.5') && isAbout(order, Date.now() - startedAt),
    { box, order, elapsed: Date.now() - startedAt },
  );
  const finishedAt = await finishOrder(kiosk, byAna.number);
  report.fact(`She finishes ${byAna.number}, still without a network`);
  return finishedAt;
}

interface Arrival {
  userid: number;
  username: string;
  action: string;
  date: number;
  recorded_date: number;
}

/** The network is back: everything is on the server, as recorded by each of them at the station. */
async function arrive(
  stage: Stage,
  { mira, kiosk, api, stationid }: Cast & { stationid: number },
  runs: { ana: Run; ben: Run },
): Promise<void> {
  const { report } = stage;
  report.act('8  The kiosk comes back online; a plain API client and Mira check what arrived');
  report.expect('Everything that was recorded at the kiosk reaches the server');
  const backAt = Math.floor(Date.now() / 1000);
  await kiosk.goOnline();
  await kiosk.status(/^Synced/);
  await checkEntry(report, api, { person: ana, ...byAna }, runs.ana, stationid);
  await checkEntry(report, api, { person: ben, ...byBen }, runs.ben, stationid);
  const arrivals = await api.get<Arrival[]>(`/stations/${stationid}/arrivals`);
  const by = (userid: number): number => arrivals.filter((one) => one.userid === userid).length;
  report.promise(
    `${by(ana.userid)} calls arrived in the name of Ana and ${by(ben.userid)} in the name of Ben, all recorded while there was no network`,
    by(ana.userid) > 3 &&
      by(ben.userid) > 2 &&
      by(ana.userid) + by(ben.userid) === arrivals.length &&
      arrivals.every((one) => one.recorded_date <= backAt && one.date >= backAt),
    arrivals,
  );
  report.expect('The screen of the station shows what arrived');
  await mira.go(`/stations/${stationid}`);
  await mira.button('Show what arrived').click();
  for (const { name } of [ana, ben])
    await mira.page.getByText(`${name}: Start a work order`).first().waitFor();
  await mira.shot('8-mira-arrivals');
  report.fact('Mira sees on the screen of the station what each of them recorded there, and when');
}

interface Expected {
  person: Person;
  number: string;
  values: Readonly<Record<string, string>>;
}

async function checkEntry(
  report: Report,
  api: ApiClient,
  { person, number, values }: Expected,
  { startedAt, finishedAt }: Run,
  stationid: number,
): Promise<void> {
  const { results } = await api.get<{ results: Entry[] }>(`/work_log?workorderid=${number}`);
  const entry = await api.get<Entry>(`/work_log/${results[0]?.entryid}`);
  report.promise(
    `${number} is complete, by ${person.name}, recorded at ${station.name}`,
    results.length === 1 &&
      entry.status === 'complete' &&
      entry.userid === person.userid &&
      JSON.stringify(entry.stations) === JSON.stringify([stationid]),
    entry,
  );
  const duration = finishedAt - startedAt;
  report.promise(
    `Its duration is ${entry.duration} s by the server, ${shown(duration)} by the stopwatch`,
    isAbout(entry.duration, duration) && isAbout(entry.active_duration, duration),
    entry,
  );
  for (const [label, value] of Object.entries(values)) {
    const found = entry.work_data.find((one) => one.label === label);
    report.promise(`"${label}" is ${value}`, found?.value === value, entry.work_data);
  }
}
