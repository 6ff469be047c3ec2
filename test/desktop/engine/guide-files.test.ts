import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

/** The pictures of the first step of a draft. */
async function pictures(device: WholeDevice, guideid: string) {
  const media = must(await device.look('draft', guideid), 'the draft').content.steps[0]?.media;
  return media?.type === 'image' ? media.data : [];
}

test('a picture with markers and a document, added offline, reach the server and other people', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const guide = await makeGuide(ada);
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ada');
  await device.inSync();

  url = null;
  await actions.openDraft(guideid);
  const { content } = must(await device.look('draft', guideid), 'the draft');
  const step = must(content.steps[0], 'a step').key;
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  await actions.addDraftPicture(guideid, step, new Blob([new Uint8Array(photo)]), 'belt.png');
  const [picture] = await pictures(device, guideid);
  const mark = (markup: string, of: typeof picture) =>
    actions.editDraft(guideid, {
      op: 'setStepMedia',
      step,
      value: { type: 'image', data: [{ ...must(of, 'the picture'), markup }] },
    });
  await mark(';circle,120x80,30,red;', picture);
  await actions.addDraftDocument(guideid, new Blob([pdfFile()]), 'Wiring plan.pdf');
  await actions.saveDraft(guideid);
  url = server.url;
  actions.syncNow();
  await device.inSync();

  const saved = async (): Promise<GuideFacts> =>
    must((await seenBy(server, ben, 'guides'))[0], 'the guide').doc as GuideFacts;
  expect((await saved()).steps[0]?.media).toMatchObject({
    type: 'image',
    data: [{ id: expect.any(Number), width: 400, markup: ';circle,120x80,30,red;' }],
  });
  const { body } = await ben.call('GET', `/guides/${guideid}`);
  expect(body).toMatchObject({ documents: [{ text: 'Wiring plan', extension: 'pdf' }] });

  await actions.openDraft(guideid);
  const [uploaded] = await pictures(device, guideid);
  expect(uploaded).toMatchObject({ markup: ';circle,120x80,30,red;' });
  await mark(';null;', uploaded);
  await actions.editDraft(guideid, { op: 'setList', field: 'documents', value: [] });
  const own = must(await device.look('draft', guideid), 'the draft').ownDocuments;
  expect(own.map(({ text }) => text)).toEqual(['Wiring plan']);
  await actions.saveDraft(guideid);
  await device.inSync();
  expect(await saved()).toMatchObject({
    documents: [],
    steps: [{ media: { data: [{ markup: ';null;' }] } }, {}],
  });
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setList', field: 'documents', value: own });
  await actions.saveDraft(guideid);
  await device.inSync();
  expect((await saved()).documents).toMatchObject([{ text: 'Wiring plan', guid: own[0]?.guid }]);
});

test('PICTURE-2 the original of a picture is read from the server, and offline the largest copy on this device', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guideid = String((await makeGuide(ada)).guideid);
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ada');
  await device.inSync();
  await actions.openDraft(guideid);
  const { content } = must(await device.look('draft', guideid), 'the draft');
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  const step = must(content.steps[0], 'a step').key;
  await actions.addDraftPicture(guideid, step, new Blob([new Uint8Array(photo)]), 'belt.jpg');
  const waiting = must((await pictures(device, guideid))[0], 'the picture').guid;
  const size = async (guid: string) => {
    const { file, filename, isSmaller } = await actions.readPicture(guid);
    const { width } = await sharp(await file.arrayBuffer()).metadata();
    return { width, filename, isSmaller };
  };
  const original = { width: 1600, filename: 'belt.jpg', isSmaller: false };
  expect(await size(waiting)).toEqual(original);
  await actions.saveDraft(guideid);
  await device.inSync();
  await actions.downloadGuides([guideid]);
  await device.shows((guide) => guide?.readiness.state === 'ready', 'guide', guideid);
  await actions.openDraft(guideid);
  const uploaded = must((await pictures(device, guideid))[0], 'the picture').guid;
  expect(await size(uploaded)).toEqual(original);
  expect(await size(waiting)).toEqual(original);

  url = null;
  actions.syncNow();
  await device.shows(({ connection }) => connection === 'offline', 'syncState');
  expect(await size(uploaded)).toEqual({ ...original, width: 800, isSmaller: true });
});
