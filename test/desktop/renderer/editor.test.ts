import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';
import { content, edits, grinder } from './editor-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

async function stepTitles(app: AppPage): Promise<string[]> {
  return (await content(app))?.steps.map((step) => step.title) ?? [];
}

describe('steps', () => {
  test('a step is moved with Alt and the arrow keys in the list', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('row', { name: 'Take off the belt cover' }).focus();
    await app.page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(async () => (await edits(app)).at(-1))
      .toEqual({ op: 'moveStep', step: '90004', index: 2 });
    await expect.poll(async () => (await stepTitles(app))[2]).toBe('Take off the belt cover');
  });

  test('a step is dragged with the keyboard alone', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('row', { name: 'Unplug and let it stop' }).focus();
    await app.page.keyboard.press('ArrowRight');
    await app.page.keyboard.press('Enter');
    const between = (name: string) => app.page.getByRole('button', { name: `Insert between ${name}` });
    await between('Unplug and let it stop').and(app.page.locator(':focus')).waitFor();
    await app.page.keyboard.press('ArrowDown');
    await app.page.keyboard.press('ArrowDown');
    await between('Loosen the arbor nut').and(app.page.locator(':focus')).waitFor();
    await app.page.keyboard.press('Enter');
    await expect.poll(async () => (await stepTitles(app)).indexOf('Unplug and let it stop')).toBe(2);
    expect((await edits(app)).map(({ op }) => op)).toEqual(['moveStep']);
  });

  test('a removed step is restored by one press', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const before = await stepTitles(app);
    await app.page.getByRole('button', { name: 'Remove step' }).click();
    await app.page.getByText('“Take off the belt cover” was removed').waitFor();
    expect(await stepTitles(app)).toHaveLength(9);
    await app.page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stepTitles(app)).toEqual(before);
    await expect.poll(() => app.page.evaluate(() => location.hash)).toBe('#s90004');
  });

  test('a step is duplicated and added with keys of its own', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    await app.page.getByRole('button', { name: 'Duplicate step' }).click();
    await app.page.getByRole('heading', { name: 'Step 5 of 11' }).waitFor();
    await app.page.getByRole('button', { name: 'Add step', exact: true }).click();
    await app.page.getByRole('heading', { name: 'Step 12 of 12' }).waitFor();
    const steps = (await content(app))?.steps ?? [];
    expect(steps[4]?.title).toBe('Take off the belt cover');
    expect(new Set(steps.map(({ key }) => key)).size).toBe(12);
    expect(steps[11]?.key).toMatch(/^tmp:[0-9a-f-]{36}$/);
    const ids = steps.flatMap((step) => step.lines.map((line) => line.id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('history', () => {
  test('Ctrl+Z undoes typing and Ctrl+Shift+Z redoes it, inside the field', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const title = app.page.getByRole('textbox', { name: 'Step title' });
    await title.fill('Remove the cover');
    await title.press('Control+z');
    await expect.poll(() => title.inputValue()).toBe('Take off the belt cover');
    await title.press('Control+Shift+z');
    await expect.poll(() => title.inputValue()).toBe('Remove the cover');
    await app.page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await stepTitles(app))[3]).toBe('Take off the belt cover');
    expect(await app.page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
  });

  test('OUTBOX-56 a text that changes elsewhere during typing keeps both', async () => {
    await using app = await bench.open(grinder);
    const summary = app.page.getByRole('textbox', { name: 'Summary' });
    await summary.fill('Mine');
    await app.page.getByText('Saved on this device').waitFor();
    // In one task, so that the letters are not handed over before the other text exists.
    await summary.evaluate(async (field: HTMLTextAreaElement) => {
      field.focus();
      field.setSelectionRange(4, 4);
      document.execCommand('insertText', false, ', typed');
      const value = 'Theirs. Mine';
      await window.fixture.actions.editDraft('9001', { op: 'setText', field: 'summary', value });
    });
    await expect.poll(() => summary.inputValue()).toBe('Theirs. Mine, typed');
  });

  test('a text that changes elsewhere is shown immediately unless it is being typed in', async () => {
    await using app = await bench.open(grinder);
    const summary = app.page.getByRole('textbox', { name: 'Summary' });
    await summary.fill('Mine');
    await app.page.getByText('Saved on this device').waitFor();
    await app.page.evaluate(() =>
      window.fixture.actions.editDraft('9001', {
        op: 'setText',
        field: 'summary',
        value: 'From another window',
      }),
    );
    await expect.poll(() => summary.inputValue()).toBe('From another window');
  });
});

describe('pictures', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  test('a chosen file, a pasted one and a dropped one become pictures of the step', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const pictures = async () => (await content(app))?.steps[3]?.media.data;
    await app.page.getByRole('button', { name: 'Remove picture' }).click();
    await expect.poll(pictures).toHaveLength(1);
    const chooser = app.page.waitForEvent('filechooser');
    await app.page.getByRole('button', { name: 'Add picture' }).click();
    await (await chooser).setFiles({ name: 'cover.png', mimeType: 'image/png', buffer: png });
    await expect.poll(pictures).toHaveLength(2);
    await app.page.evaluate(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(bytes)], 'pasted.png', { type: 'image/png' }));
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      },
      [...png],
    );
    await expect.poll(pictures).toHaveLength(3);
    await app.page.getByText('A step can have up to 3 pictures.').waitFor();
    expect((await app.calls('addDraftPicture')).map((args) => [args[0], args[1], args[3]])).toEqual([
      ['9001', '90004', 'cover.png'],
      ['9001', '90004', 'pasted.png'],
    ]);
  });

  test('pictures change places and one of them represents the guide', async () => {
    await using app = await bench.open(`${grinder}#s90004`);
    const guids = async () => {
      const media = (await content(app))?.steps[3]?.media;
      return media?.type === 'image' ? media.data.map(({ guid }) => guid) : [];
    };
    const [first, second] = await app.page.evaluate(() => ['BeltStep04Image1', 'BeltStep04Image2']);
    await app.page.getByRole('button', { name: 'Move picture later' }).click();
    await expect.poll(guids).toEqual([second, first]);
    await app.page.getByRole('button', { name: /^Cover picture/ }).click();
    await expect.poll(async () => (await content(app))?.image?.guid).toBe(first);
  });
});

describe('about the guide', () => {
  test('the summary is counted and its limit shown', async () => {
    await using app = await bench.open(grinder);
    const summary = app.page.getByRole('textbox', { name: 'Summary' });
    await app.page.getByText('103 of 155').waitFor();
    await summary.fill('s'.repeat(156));
    await app.page.getByText('The summary has more than 155 characters · 156 of 155').waitFor();
    expect(await summary.getAttribute('aria-invalid')).toBe('true');
  });

  test('wiki text is shown beside its preview', async () => {
    await using app = await bench.open(`${grinder}#end`);
    await app.page.getByRole('textbox', { name: 'Conclusion' }).fill("== Last ==\nCheck the '''tension'''.");
    const preview = app.page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Last' }).waitFor();
    expect(await preview.locator('strong').innerText()).toBe('tension');
    await app.page.getByText('How to format').click();
    await app.page.getByText('a list item').waitFor();
  });

  test('category, difficulty, times, flags, tools and prerequisites are set', async () => {
    await using app = await bench.open(grinder);
    const { page } = app;
    const category = page.getByRole('combobox', { name: 'Category' });
    await category.fill('lat');
    await page.getByRole('option', { name: 'Lathe' }).click();
    await page.getByRole('button', { name: /Difficulty/ }).click();
    await page.getByRole('option', { name: 'Very difficult' }).click();
    await page.getByLabel('Takes at most').fill('55');
    await page.getByText('In progress').click();
    await page.getByRole('button', { name: 'Add tool' }).click();
    await page
      .getByRole('region', { name: 'Tools' })
      .getByRole('combobox', { name: 'Name' })
      .last()
      .fill('Feeler gauge');
    const search = page.getByRole('combobox', { name: 'Search for a guide' });
    // The list of suggestions closes when the page scrolls, so the field is in the window before it has the focus.
    await search.evaluate((field) => field.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await vi.waitFor(
      async () => {
        await search.fill('');
        await search.fill('frame');
        await page.getByRole('option', { name: /Frame assembly/ }).waitFor({ timeout: 10_000 });
        await search.press('ArrowDown');
        await search.press('Enter');
        await page.getByRole('button', { name: 'Move Frame assembly up' }).waitFor({ timeout: 10_000 });
      },
      { timeout: 80_000 },
    );
    await page.getByRole('button', { name: 'Move Frame assembly up' }).click();
    await expect
      .poll(async () => {
        const now = await content(app);
        return [now?.category, now?.difficulty, now?.time_required_max, now?.flags, now?.tools.at(-1)?.text];
      })
      .toEqual(['Lathe', 'Very difficult', 3300, ['GUIDE_IN_PROGRESS'], 'Feeler gauge']);
    await expect.poll(async () => (await content(app))?.prerequisites).toEqual([102, 9002]);
  });

  test('SUPPLIES-1 the name of a tool is suggested while a person types, with its type, and other names are taken too', async () => {
    await using app = await bench.open(grinder);
    const { page } = app;
    await page.getByRole('button', { name: 'Add tool' }).click();
    const name = page.getByRole('region', { name: 'Tools' }).getByRole('combobox', { name: 'Name' }).last();
    await name.fill('torx');
    await page.getByRole('option', { name: /Torx screwdriver/ }).click();
    await expect
      .poll(async () => (await content(app))?.tools.at(-1))
      .toMatchObject({ text: 'Torx screwdriver', type: 'T20', quantity: 1 });
    await name.fill('Feeler gauge, long');
    await page.getByRole('button', { name: 'Add tool' }).focus();
    await expect.poll(async () => (await content(app))?.tools.at(-1)?.text).toBe('Feeler gauge, long');
  });

  test('a value that is not a whole number is reported and not written', async () => {
    await using app = await bench.open(grinder);
    await app.page.getByLabel('Takes at least').fill('soon');
    await app.page.getByText('Enter whole minutes').waitFor();
    await app.page.getByLabel('Takes at least').blur();
    expect(await edits(app)).toEqual([]);
  });
});

describe.for([grinder, `${grinder}#s90004`, `${grinder}#end`])('%s', { concurrent: true }, (path) => {
  test('axe finds nothing in any look', async () => {
    await using app = await bench.open(path, {});
    for (const [name, look] of looks) {
      await app.wear(look);
      expect([name, await offences(app.page, look)]).toEqual([name, []]);
    }
    expect(app.errors).toEqual([]);
  });

  test('320, 390 or 1280 px wide, nothing extends beyond the window', async () => {
    await using app = await bench.open(path, {}, { width: 320, height: 640, density: 'touch' });
    for (const width of [320, 390, 1280]) {
      await app.wear({ width, height: 640, density: 'touch' });
      const beyond = await app.page.evaluate(() => {
        const main = document.querySelector('main');
        const page = main?.querySelector('h1')?.closest('[class*="page"], [class*="editor"]') ?? main;
        return [document.documentElement, main, page].map((box) =>
          box ? box.scrollWidth - box.clientWidth : 0,
        );
      });
      expect([width, beyond]).toEqual([width, [0, 0, 0]]);
    }
  });
});
