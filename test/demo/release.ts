import type { ApiClient, Entry } from './api-client.ts';
import type { Device } from './device.ts';
import type { Report } from './report.ts';
import { deviation, type WorkOrderRun } from './work-order.ts';

interface Deviation {
  userid: number;
  title: string;
  note: string;
  value: { value: string; limits: { min: number | null; max: number | null } };
  images: { original: string }[];
  decision: { disposition: string; reason: string; userid: number } | null;
}

interface Person {
  userid: number;
  username: string;
}

/** Ana, who owns the team, decides about the value that Ben recorded out of its limits. */
export async function release(report: Report, ana: Device, ben: Device, run: WorkOrderRun): Promise<void> {
  report.act("4  Ana leads Ben's team and decides about the value out of its limits");
  await ana.go('/board');
  await ana.page.getByRole('link', { name: run.number }).first().waitFor();
  const section = ana.page.getByRole('region', { name: 'Deviations to decide' });
  await section.getByText(deviation.note).waitFor();
  await section.getByRole('img', { name: 'Photo 1' }).waitFor();
  report.promise(
    "Ana sees Ben's work order on her board, with the value above its limit, what he wrote, and his photo",
    await section.getByText(`Measured ${deviation.value}`).isVisible(),
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
  report.expect('Ben sees the release');
  await ben.go('/deviations');
  await ben.page.getByText(deviation.reason).waitFor();
  report.promise(
    'Ana releases it offline with a reason, and Ben sees her decision when both are online',
    true,
  );
  await ben.shot('4-ben-deviation');
  await readRecord(report, ben);
}

/** Opens the record of the work order, and reads what it says about the deviation. */
async function readRecord(report: Report, ben: Device): Promise<void> {
  const { page } = ben;
  report.expect('The record of the work order shows the deviation and its release');
  await page.getByRole('heading', { name: deviation.label }).getByRole('link').click();
  const row = page.getByRole('row', { name: deviation.label });
  await row.waitFor();
  const facts = await page.getByRole('main').innerText();
  report.promise(
    'The order is "Finished with deviations"',
    facts.includes('Finished with deviations'),
    facts,
  );
  const words = await row.innerText();
  const { min, max } = deviation.limits;
  const listed = page.getByRole('region', { name: 'Deviations' });
  const decided = await listed.innerText();
  report.promise(
    `Its record shows ${deviation.value} with the limits ${min} and ${max}, and that Ana Ruiz released it with her reason`,
    [deviation.value, `Above the limit of ${max}`, `${min} `].every((part) => words.includes(part)) &&
      ['Use as is', 'Ana Ruiz', deviation.note, deviation.reason].every((part) => decided.includes(part)),
    { words, decided },
  );
  await ben.shot('4-ben-record');
}

/** What the API says about the deviation of the work order. */
export async function checkDeviation(
  report: Report,
  api: ApiClient,
  entry: Entry,
  photo: Buffer,
): Promise<void> {
  report.promise('It has deviations', entry.has_deviations === true, entry.has_deviations);
  const found = await api.get<Deviation[]>(`/deviations?workorderid=${entry.workorderid}`);
  const [one] = found;
  const { min, max } = one?.value.limits ?? {};
  const by = await api.get<Person>(`/users/${one?.decision?.userid}`);
  report.promise(
    'There is one deviation, with the value, its limits, and the release by Ana Ruiz with the reason',
    found.length === 1 &&
      one?.title === deviation.label &&
      one.userid === entry.userid &&
      one.value.value === deviation.value &&
      min === deviation.limits.min &&
      max === deviation.limits.max &&
      one.note === deviation.note &&
      one.decision?.disposition === 'use-as-is' &&
      one.decision.reason === deviation.reason &&
      by.username === 'Ana Ruiz',
    { found, by },
  );
  const picture = one?.images[0]?.original;
  report.promise(
    'The photo of the deviation is on the server, byte for byte',
    picture !== undefined && (await api.bytes(picture)).equals(photo),
    one?.images,
  );
}
