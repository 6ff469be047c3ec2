import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { go } from '#test/e2e/whole-app.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { workshopClient } from '#test/support/workshop.ts';

import { desktopForTests } from './support/desktop-for-tests.ts';
import { signInAt } from './support/sign-in.ts';
import { ownedFolder } from './support/unprivileged.ts';

const { prepared } = desktopForTests('documents');

it('ELECTRON-93 a document that is stored on the device is saved where the person chooses', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const { documentid } = await workshopClient(server, ada).media.addDocument({
    query: { file: 'plan: left.pdf' },
    body: pdfFile(),
  });
  const { guideid } = await ada.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      public: true,
      documents: [documentid],
      steps: [{ title: 'Open', lines: [{ text: 'Unplug it' }] }],
    },
  });
  const folder = ownedFolder('/tmp', 'benchbook-documents');
  const path = join(folder, 'saved.pdf');
  {
    await using launched = await prepared().launch(prepared().userData(), ['--keep-key-in-file']);
    const { app, page } = launched;
    await signInAt(page, server.url);
    // What the person chooses in the dialog, which a test cannot reach.
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async (...given: unknown[]) => {
        Object.assign(globalThis, { asked: given.at(-1) });
        return { canceled: false, filePath };
      };
    }, path);
    await go(page, `/guides/${guideid}`);
    await page.locator('a[download]', { hasText: 'plan' }).click();
    await soon(() => {
      try {
        return new Uint8Array(readFileSync(path));
      } catch {
        return null;
      }
    }).toEqual(pdfFile());
    const asked = await app.evaluate(() => Reflect.get(globalThis, 'asked') as { defaultPath: string });
    expect(asked.defaultPath).toBe('plan left.pdf');
  }
  rmSync(folder, { recursive: true });
});
