import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { content, edits, grinder } from './editor-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

async function lineTexts(app: AppPage, step: number): Promise<string[]> {
  return (await content(app))?.steps[step - 1]?.lines.map((line) => line.text_raw) ?? [];
}

describe('lines', () => {
  test('typing reaches the draft immediately and keeps every letter in its place', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const line = app.page.getByRole('textbox', { name: 'Line 2' });
    await line.click();
    await line.press('Home');
    await line.pressSequentially('Mark them: ', { delay: 40 });
    expect(await line.inputValue()).toBe('Mark them: Two of 12 mm at the top, one of 20 mm below.');
    await expect
      .poll(async () => (await edits(app)).at(-1))
      .toEqual({
        op: 'setLineText',
        step: '90004',
        line: expect.any(String),
        value: 'Mark them: Two of 12 mm at the top, one of 20 mm below.',
        from: expect.stringMatching(/^Mark.*Two of 12 mm at the top, one of 20 mm below\.$/),
      });
    expect((await edits(app)).length).toBeGreaterThan(1);
  });

  test('leaving the page immediately loses nothing', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('textbox', { name: 'Line 3' }).fill('Lift it.');
    await app.page.getByRole('link', { name: 'Read the guide' }).first().click();
    await app.page.waitForURL(/\/guides\/9001#?/);
    expect((await lineTexts(app, 4))[2]).toBe('Lift it.');
  });

  test('Enter splits a line at the caret and continues in the new one', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const third = app.page.getByRole('textbox', { name: 'Line 3' });
    await third.fill('Lift the cover. Slide it out.');
    await third.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(16, 16));
    await third.press('Enter');
    await app.page.keyboard.type('Then ');
    await expect
      .poll(() => lineTexts(app, 4))
      .toEqual([
        expect.any(String),
        expect.any(String),
        'Lift the cover. ',
        'Then Slide it out.',
        expect.any(String),
      ]);
    expect((await content(app))?.steps[3]?.lines[3]?.bullet).toBe('blue');
  });

  test('Backspace in an empty line removes it and goes to the one above', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const second = app.page.getByRole('textbox', { name: 'Line 2' });
    await second.fill('');
    await second.press('Backspace');
    await expect.poll(async () => (await lineTexts(app, 4)).length).toBe(3);
    expect((await edits(app)).at(-1)?.op).toBe('removeLine');
    await app.page.keyboard.type('!');
    await expect.poll(async () => (await lineTexts(app, 4))[0]).toMatch(/!$/);
  });

  test('Alt and the arrow keys move a line and indent it, and the caret stays in it', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const third = app.page.getByRole('textbox', { name: 'Line 3' });
    const words = await third.inputValue();
    await third.click();
    await third.press('Alt+ArrowUp');
    await expect.poll(async () => (await lineTexts(app, 4))[1]).toBe(words);
    await app.page.keyboard.press('Alt+ArrowRight');
    await expect.poll(async () => (await content(app))?.steps[3]?.lines[1]?.level).toBe(1);
    expect(await app.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Line 2');
    await app.page.getByRole('button', { name: 'Move line down' }).click();
    await expect.poll(async () => (await lineTexts(app, 4))[2]).toBe(words);
  });

  test('the bullet is chosen among eleven that have names', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('button', { name: 'Bullet of line 1: Red' }).click();
    await expect.poll(() => app.page.getByRole('menuitemradio').count()).toBe(11);
    await app.page.getByRole('menuitemradio', { name: 'Caution' }).click();
    await app.page.getByRole('button', { name: 'Bullet of line 1: Caution' }).waitFor();
    expect((await content(app))?.steps[3]?.lines[0]?.bullet).toBe('icon_caution');
  });

  test('exceeded limits are shown at the line, in the list and in the bar, and the bar leads there', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('textbox', { name: 'Line 1' }).fill('x'.repeat(351));
    await app.page.getByText('The line has more than 350 characters').waitFor();
    await app.page.getByText('351 of 350').waitFor();
    await app.page.getByRole('row', { name: /Take off the belt cover, to correct/ }).waitFor();
    await app.page.getByRole('button', { name: 'About this guide' }).click();
    await app.page.getByRole('button', { name: /1 field to correct/ }).click();
    await expect.poll(() => app.page.evaluate(() => location.hash)).toBe('#s90004');
    await app.page.getByText('The line has more than 350 characters').waitFor();
  });

  test('a full step says so instead of offering one more line', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const add = app.page.getByRole('button', { name: 'Add line' });
    for (let lines = 4; lines < 8; lines += 1) {
      await add.click();
      await app.page.getByRole('textbox', { name: `Line ${lines + 1}` }).fill(`Line number ${lines + 1}`);
    }
    await app.page.getByText('A step can have up to 8 lines.').waitFor();
    expect(await add.count()).toBe(0);
  });
});
