import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const busy = { busy: true };

function openItem(id: string, look: Look = {}): Promise<AppPage> {
  return bench.open(`/sync?item=${encodeURIComponent(id)}`, busy, look);
}

describe('entries of a person', () => {
  test('every entry is listed with its state in words', async () => {
    await using app = await bench.open('/sync', busy);
    const entries = app.page.getByRole('navigation', { name: 'What you did' }).getByRole('button');
    const words = async () => (await entries.allInnerTexts()).map((text) => text.split('\n')[0]);
    await expect
      .poll(words)
      .toEqual([
        'Needs 3 decisions',
        'Needs a decision',
        'Refused by the server',
        'Refused by the server',
        'Waiting for the guide',
        'Sending',
      ]);
    await app.page.getByRole('button', { name: /WO-1050/ }).click();
    await app.page
      .getByText('It is sent as soon as the change that it waits for is on the server.')
      .waitFor();
    await app.page.getByRole('button', { name: 'Show what it is waiting for' }).click();
    await app.page.getByRole('heading', { level: 2, name: 'Dressing a worn wheel' }).waitFor();
  });

  test('a guide has one row, which opens it and lists all changes to it', async () => {
    await using app = await bench.open('/sync', busy);
    const rows = app.page.getByRole('navigation', { name: 'What you did' }).getByRole('button');
    await rows
      .filter({ hasText: 'Bench Grinder Drive Belt Replacement' })
      .filter({ hasText: '4 changes' })
      .click();
    const entries = app.page
      .getByRole('list', { name: /^Your changes to Bench Grinder/ })
      .getByRole('button');
    await expect.poll(() => entries.count()).toBe(4);
    await entries.filter({ hasText: 'Favourite' }).click();
    await app.page.getByText('On the server since').waitFor();
    await app.page.getByRole('link', { name: 'Open the guide' }).click();
    await expect.poll(() => new URL(app.page.url()).pathname).toContain('/guides/9001');
  });

  test('of many records, and of many changes to one, the first are shown, the open one, and more on demand', async () => {
    await using app = await bench.open('/sync', busy);
    await app.page.evaluate(() =>
      window.fixture.change(({ activity }) => {
        const [one] = activity;
        if (one === undefined) return {};
        const waiting = (index: number, guideid: string) => ({
          ...one,
          id: `call-${index}`,
          state: 'queued' as const,
          guideid,
          subject: `Guide ${guideid}`,
          at: one.at - 1000 * index,
        });
        return {
          activity: [
            ...Array.from({ length: 1000 }, (_, index) => waiting(index, 'many')),
            ...Array.from({ length: 2000 }, (_, index) => waiting(1000 + index, `${index}`)),
          ],
        };
      }),
    );
    const list = app.page.getByRole('navigation', { name: 'What you did' });
    const rows = list.getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(50);
    await list.getByText('50 of 2,001').waitFor();
    await list.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await rows.first().getByRole('button').click();
    const entries = app.page.getByRole('list', { name: 'Your changes to Guide many' }).getByRole('listitem');
    await expect.poll(() => entries.count()).toBe(50);
    await app.page.getByRole('article').getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => entries.count()).toBe(100);
    await app.page.evaluate(() => history.replaceState(null, '', '/sync?item=call-2500'));
    await list.locator('[aria-current]').filter({ hasText: 'Guide 1500' }).waitFor();
    expect(await rows.count()).toBe(101);
  });

  test('STATION-ENGINE-3 a change that needs a lead says so', async () => {
    await using app = await bench.open('/sync?item=call-order', busy);
    await app.page.evaluate(() =>
      window.fixture.change(({ activity }) => ({
        activity: activity.map((item) =>
          item.id === 'call-order'
            ? {
                ...item,
                waitsFor: null,
                refusal: {
                  status: 403,
                  code: 'station-needs-lead',
                  message:
                    'Ana no longer belongs to this station. A lead decides whether to accept what was recorded',
                  errors: [],
                },
              }
            : item,
        ),
      })),
    );
    await app.page.getByText('Ana no longer belongs to this station. A lead decides').waitFor();
    await app.page.getByRole('article').getByText('Waiting for a lead').first().waitFor();
  });

  test('all refused calls are sent again with one press', async () => {
    await using app = await bench.open('/sync', busy);
    await app.page.getByRole('button', { name: 'Send all 3 again' }).click();
    expect(await app.calls('sendAllAgain')).toEqual([[]]);
    await app.page.getByText('3 changes are queued again').waitFor();
    await expect.poll(() => app.page.getByRole('button', { name: /Send all/ }).count()).toBe(0);
  });

  test('the text of a guide that the person can no longer see is shown, exported and discarded', async () => {
    const kept = [
      {
        id: 'guides/9004',
        guideid: '9004',
        wikiid: null,
        at: Date.now(),
        isHere: false,
        words: [
          { kind: 'field' as const, field: 'summary', text: 'A summary of my own.' },
          { kind: 'comment' as const, field: '', text: 'The fuse sits behind the cover.' },
        ],
      },
    ];
    await using app = await bench.open('/sync', { kept });
    await app.page.getByRole('heading', { name: 'You can no longer see guide 9004' }).waitFor();
    await app.page.getByText('Show 2 texts you wrote').click();
    await app.page.getByText('A summary of my own.').waitFor();
    await app.page.getByText('The fuse sits behind the cover.').waitFor();
    expect(await offences(app.page, { theme: 'light' })).toEqual([]);
    const waiting = app.page.waitForEvent('download');
    await app.page.getByRole('button', { name: 'Export as a file: guide 9004' }).click();
    expect((await waiting).suggestedFilename()).toBe('guides-9004.json');
    await app.page.getByRole('button', { name: 'Discard: guide 9004' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).last().click();
    expect(await app.calls('discardKept')).toEqual([]);
    await app.page.getByRole('button', { name: 'Discard: guide 9004' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => app.calls('discardKept')).toEqual([['guides/9004']]);
    await expect.poll(() => app.page.getByRole('heading', { name: /can no longer see/ }).count()).toBe(0);
  });

  test('all waiting work is exported, and a file of another person is refused with a message', async () => {
    await using app = await bench.open('/sync', { busy: true });
    await app.page.getByText('Export, check and support').click();
    await app.page.getByRole('button', { name: 'Export all unsent work' }).click();
    await app.page.getByText('5 changes exported').waitFor();
    const give = async (words: string) =>
      app.page
        .locator('input[type=file]')
        .setInputFiles({ name: 'work.jsonl', mimeType: 'text/plain', buffer: Buffer.from(words) });
    await give('of another');
    await app.page.getByText('This is the work of Ben Okafor').waitFor();
    await give('ours');
    await app.page.getByText('4 changes imported').waitFor();
    await app.page.getByText('2 changes were already on this device').waitFor();
    await app.page.getByText('1 entry in the file could not be read').waitFor();
    expect(await app.page.getByText('This is the work of Ben Okafor').count()).toBe(0);
    const download = app.page.waitForEvent('download');
    await app.page.getByRole('button', { name: 'Save the log' }).click();
    expect((await download).suggestedFilename()).toBe('log.txt');
    expect(app.errors).toEqual([]);
  });

  test('a check of the device says how much was compared and loaded again', async () => {
    await using app = await bench.open('/sync', busy);
    await app.page.getByText('Export, check and support').click();
    await app.page.getByRole('button', { name: 'Check this device' }).click();
    await app.page.getByText('1 of 10,044 records differed from the server and was reloaded').waitFor();
    await app.page.getByText('Bench Grinder Drive Belt Replacement: differed from the server').waitFor();
  });

  test('a refusal shows the server’s words, the fields, and the call', async () => {
    await using app = await openItem('call-value');
    const alert = app.page.getByRole('alert');
    expect(await alert.innerText()).toContain('The values cannot be saved');
    expect(await alert.innerText()).toContain('Screw torque after refitting (Nm) is at most 3');
    await app.page.getByText('Request to the server').click();
    await app.page.getByText('POST /work_log/501/data').waitFor();
    await app.page.getByText('"97002": "7"').waitFor();
  });

  test('LANGUAGE-11 in the German app a refusal is German, also one that only its code explains', async () => {
    await using app = await openItem('call-value', { language: 'de' });
    // A server that sends no code.
    await app.page.getByText('Der Server hat eine Angabe abgelehnt.').first().waitFor();
    const refuse = (refusal: {
      status: number;
      message: string;
      code: string;
      field: string;
      flaw: string;
    }) =>
      app.page.evaluate(({ field, flaw, ...rest }) => {
        window.fixture.change((now) => ({
          activity: now.activity.map((item) =>
            item.id === 'call-value'
              ? { ...item, refusal: { ...rest, errors: [{ field, message: flaw }] } }
              : item,
          ),
        }));
      }, refusal);
    await refuse({
      status: 422,
      message: 'Validation failed',
      code: 'invalid',
      field: 'fields.97002',
      flaw: 'Drehmoment takes one line',
    });
    const alert = app.page.getByRole('alert');
    await alert.getByText('Drehmoment nimmt nur eine Zeile auf').waitFor();
    await alert.getByText('Eine Angabe ist so nicht zulässig').waitFor();
    await refuse({
      status: 404,
      message: 'A newer server says this',
      code: 'work-log-entry-not-found',
      field: 'entryid',
      flaw: 'A newer server says that',
    });
    await alert.getByText('Diesen Auftrag gibt es nicht, oder Sie dürfen ihn nicht sehen.').waitFor();
    expect(await alert.innerText()).not.toMatch(/newer server/);
  });

  test('a refused call is sent again', async () => {
    await using app = await openItem('call-new');
    await app.page.getByRole('button', { name: 'Send again' }).click();
    expect(await app.calls('retryCall')).toEqual([['call-new']]);
    await app.page.getByText('It is sent automatically as soon as the server can be reached.').waitFor();
  });

  test('a refused value is corrected and sent', async () => {
    await using app = await openItem('call-value');
    await app.page.getByRole('button', { name: 'Edit' }).click();
    const field = app.page.getByRole('textbox', { name: 'Recorded value' });
    expect(await field.inputValue()).toBe('7');
    await field.fill('2.7');
    await app.page.getByRole('button', { name: 'Send the changed value' }).click();
    await expect
      .poll(() => app.calls('editCall'))
      .toEqual([['call-value', { fields: { 97002: '2.7' }, at: 1 }]]);
  });

  test('a late comment becomes a reply, or is rewritten', async () => {
    await using app = await openItem('call-late');
    await app.page.getByRole('button', { name: 'Edit' }).click();
    await app.page.getByRole('textbox', { name: 'Your comment' }).fill('It is a T25.');
    await app.page.getByRole('button', { name: 'Send the changed text' }).click();
    await expect.poll(() => app.calls('editCall')).toEqual([['call-late', { text: 'It is a T25.' }]]);
    await using other = await openItem('call-late');
    await other.page.getByRole('button', { name: 'Post as a reply' }).click();
    await expect.poll(() => other.calls('postAsReply')).toEqual([['call-late']]);
  });

  test('an export is a file; discarding asks first', async () => {
    await using app = await openItem('call-new');
    const waiting = app.page.waitForEvent('download');
    await app.page.getByRole('button', { name: 'Export as a file' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('call.json');
    expect(await readFile(await download.path(), 'utf8')).toBe('{}');
    await app.page.getByRole('button', { name: 'Discard' }).click();
    await app.page.getByRole('button', { name: 'Keep it' }).last().click();
    expect(await app.calls('discardCall')).toEqual([]);
    await app.page.getByRole('button', { name: 'Discard' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => app.calls('discardCall')).toEqual([['call-new']]);
    await expect.poll(() => app.page.getByRole('button', { name: /Dressing a worn wheel/ }).count()).toBe(0);
  });

  test('a frozen work order has three ways out', async () => {
    await using app = await openItem('call-frozen');
    await app.page.getByText('Someone else took over this work order').waitFor();
    await app.page.getByRole('button', { name: 'Export as a file' }).click();
    await expect.poll(() => app.calls('exportOrder')).toEqual([['503']]);
    await app.page.getByRole('button', { name: 'Discard' }).click();
    await app.page.getByRole('button', { name: 'Keep it' }).last().click();
    await app.page.getByRole('button', { name: 'Save as my own work order' }).click();
    await expect.poll(() => app.calls('saveAsOwnOrder')).toEqual([['503']]);
    expect(await app.calls('discardOrder')).toEqual([]);
  });

  test('LEAVING-5 a frozen work order that the person can no longer see has the same three ways out', async () => {
    await using app = await openItem('call-frozen');
    await app.page.evaluate(() => window.fixture.change(() => ({ orders: [] })));
    await app.page.getByText('Someone else took over this work order').waitFor();
    await app.page.getByRole('button', { name: 'Export as a file' }).click();
    await expect.poll(() => app.calls('exportOrder')).toEqual([['503']]);
    await app.page.getByRole('button', { name: 'Discard' }).click();
    const dialog = app.page.getByRole('dialog', { name: /WO-1031/ });
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => app.calls('discardOrder')).toEqual([['503']]);
  });

  test('in a narrow window the chosen entry replaces the list, and closing it restores the list', async () => {
    await using app = await bench.open('/sync', busy, { width: 390, height: 844, density: 'touch' });
    await app.page.getByRole('button', { name: /Bench Grinder Drive Belt.*4 changes/ }).click();
    const list = app.page.getByRole('navigation', { name: 'What you did' });
    await expect.poll(() => list.isVisible()).toBe(false);
    await app.page.getByRole('button', { name: 'All entries' }).click();
    await expect.poll(() => list.isVisible()).toBe(true);
  });
});
