import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** A step with a torque of 2.0 to 3.0 Nm, of which 2.4 is recorded. */
function open(look: Look): Promise<AppPage> {
  return bench.open('/guides/9001#s90004', { running: true }, look);
}

async function recorded(app: AppPage): Promise<unknown[]> {
  return (await app.calls('recordValue')).map(([, , value]) => value);
}

const label = 'Screw torque after refitting';

test('LANGUAGE-8 in German, measured numbers and limits have a decimal comma and all their digits', async () => {
  await using app = await open({ language: 'de' });
  const field = app.page.getByRole('textbox', { name: label });
  expect(await field.inputValue()).toBe('2,4');
  await app.page.getByText('Nm · 2,0 bis 3,0').waitFor();
  await field.fill('7,5');
  await app.page.getByText('3,0 Nm').waitFor();
  await expect.poll(() => recorded(app)).toEqual(['7.5']);
  expect(await field.inputValue()).toBe('7,5');
  await app.page.goto(new URL('/work-orders/501', app.page.url()).href);
  await app.page.getByRole('cell', { name: '2,4', exact: true }).waitFor();
});

test('LANGUAGE-9 a point is a decimal point in German too, and the field shows what was understood', async () => {
  await using app = await open({ language: 'de' });
  const field = app.page.getByRole('textbox', { name: label });
  await field.fill('2.5');
  await expect.poll(() => field.inputValue()).toBe('2,5');
  expect(await recorded(app)).toEqual(['2.5']);
});

test('LANGUAGE-9 a number that may be grouped is not recorded until the person has said which they mean', async () => {
  await using app = await open({ language: 'de' });
  const field = app.page.getByRole('textbox', { name: label });
  await field.fill('1.234');
  await app.page
    .getByText('Das könnte 1234 oder 1,234 sein. Geben Sie die Zahl ein, die Sie meinen.')
    .waitFor();
  await field.blur();
  expect([await field.inputValue(), await recorded(app)]).toEqual(['1.234', []]);
  await field.fill('1234');
  await expect.poll(() => recorded(app)).toEqual(['1234']);
  expect(await field.inputValue()).toBe('1234');
});

test('LANGUAGE-9 in English, a comma may group', async () => {
  await using app = await open({});
  await app.page.getByRole('textbox', { name: label }).fill('1,234');
  await app.page.getByText('This could be 1234 or 1.234. Enter the one that you mean.').waitFor();
  expect(await recorded(app)).toEqual([]);
});

test('LANGUAGE-8 the keypad of a kiosk has a decimal comma in German', async () => {
  await using app = await open({ language: 'de', density: 'kiosk' });
  await app.page.getByRole('button', { name: label }).click();
  const pad = app.page.getByRole('group', { name: 'Zahl eingeben' });
  await pad.getByRole('button', { name: 'Letzte Ziffer löschen' }).click();
  await pad.getByRole('button', { name: '8', exact: true }).click();
  expect(await pad.locator('output').innerText()).toBe('2,8');
  expect(await pad.getByRole('button', { name: ',', exact: true }).count()).toBe(1);
  await app.page.getByRole('button', { name: 'Wert speichern' }).click();
  await expect.poll(() => recorded(app)).toEqual(['2.8']);
  await app.page.getByRole('button', { name: /2,8/ }).waitFor();
});

test('LANGUAGE-2 a German guide states difficulty and time in German', async () => {
  await using app = await bench.open('/guides/9001', {}, { language: 'de' });
  await app.page.getByText('Mittel', { exact: true }).waitFor();
  await app.page.getByText(/^\d+(?:–\d+)? (?:Minuten|Stunden?)$/).waitFor();
});
