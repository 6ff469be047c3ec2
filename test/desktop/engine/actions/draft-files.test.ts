import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

test('a picture added to a step is shown from this device and sent under its real id', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.addDraftPicture('7', '11', new Blob([png(40, 30)], { type: 'image/png' }), 'photo.png');
  const picture = must((await now(bench.views.draft('7')))?.content.steps[0]?.media, 'media');
  expect(picture).toMatchObject({ type: 'image', data: [{ width: 40, height: 30 }] });
  const guid = picture.type === 'image' ? must(picture.data[0], 'a picture').guid : '';
  expect(await now(bench.views.picture(guid, 'standard'))).toMatch(/^blob:/);
  await bench.actions.saveDraft('7');
  await bench.sync();
  expect(server.guide(7).steps[0]?.media).toMatchObject({
    type: 'image',
    data: [{ guid: expect.stringMatching(/^picture/) }],
  });
});

test('PICTURE-2 a picture made from another one takes its place, is uploaded, and undo brings the other one back', async () => {
  const { server, bench } = await workshop();
  const { actions, views } = bench;
  const old = { id: 1, guid: 'guid1', width: 800, height: 600, markup: ';circle,120x80,30,red;' };
  const second = { id: 2, guid: 'guid2', width: 800, height: 600 };
  const [first, ...others] = plainGuide.steps;
  const media = { type: 'image' as const, data: [old, second] };
  server.put('guides', '7', { ...plainGuide, steps: [{ ...must(first, 'a step'), media }, ...others] });
  await bench.pull();
  await actions.openDraft('7');
  const pictures = async () => must((await now(views.draft('7')))?.content.steps[0], 'the step').media;
  const made = { file: new Blob([png(40, 30)]), filename: 'cut.png', markup: ';circle,20x10,30,red;' };
  const guid = await actions.replaceDraftPicture('7', '11', 'guid1', made);
  const cut = { id: 0, guid, width: 40, height: 30, markup: made.markup };
  expect(await pictures()).toEqual({ type: 'image', data: [cut, second] });
  expect(await actions.readPicture(guid)).toMatchObject({ filename: 'cut.png', isSmaller: false });
  await actions.undoDraft('7');
  expect(await pictures()).toEqual(media);
  await actions.redoDraft('7');
  await actions.saveDraft('7');
  await bench.sync();
  expect(server.guide(7).steps[0]?.media).toMatchObject({
    data: [{ guid: expect.stringMatching(/^picture/), markup: made.markup }, second],
  });
});

test('PICTURE-2 a picture that is no longer in the step is not replaced, and nothing is uploaded', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const made = { file: new Blob([png(40, 30)]), filename: 'cut.png', markup: undefined };
  const replacing = bench.actions.replaceDraftPicture('7', '11', 'guid9', made);
  await expect(replacing).rejects.toMatchObject({ kind: 'not-found' });
  expect(bench.outbox.present()).toEqual([]);
  await expect(bench.actions.readPicture('guid9')).rejects.toMatchObject({ kind: 'not-found' });
});

test('two pictures added at the same time both exist', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const add = (name: string) =>
    bench.actions.addDraftPicture('7', '11', new Blob([png(40, 30)], { type: 'image/png' }), name);
  await Promise.all([add('first.png'), add('second.png')]);
  const media = (await now(bench.views.draft('7')))?.content.steps[0]?.media;
  expect(media?.type === 'image' ? media.data : []).toHaveLength(2);
});

test('a document added from a file can be read on this device and is sent with the next save', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const pdf = new Blob(['%PDF-1.7 safety'], { type: 'application/pdf' });
  await bench.actions.addDraftDocument('7', pdf, 'Safety sheet.PDF');
  const restarted = await bench.crash();
  endsWithTest(restarted);
  const added = must(
    (await now(restarted.views.draft('7')))?.content.documents.find(({ text }) => text === 'Safety sheet'),
    'the document',
  );
  expect(added).toMatchObject({ documentid: 0, guid: expect.stringMatching(/^tmp:/), extension: 'pdf' });
  expect(await now(restarted.views.document(added.guid))).toMatch(/^blob:/);
  await restarted.actions.saveDraft('7');
  const [upload, save] = restarted.outbox.present();
  expect(upload).toMatchObject({ kind: 'upload-document', path: '/user/media/documents' });
  expect(save).toMatchObject({
    kind: 'guide-save',
    needs: [upload?.id],
    body: { documents: [...plainGuide.documents.map(({ documentid }) => documentid), added.guid] },
  });
});

test('markers drawn on a picture of a step are saved with it, and only the changed picture names them', async () => {
  const { server, bench } = await workshop();
  const picture = (id: number) => ({ id, guid: `guid${id}`, width: 800, height: 600 });
  const [first, ...others] = plainGuide.steps;
  const media = { type: 'image' as const, data: [picture(1), picture(2)] };
  server.put('guides', '7', { ...plainGuide, steps: [{ ...must(first, 'a step'), media }, ...others] });
  await bench.pull();
  await bench.actions.openDraft('7');
  const markup = ';circle,120x80,30,red;';
  await bench.actions.editDraft('7', {
    op: 'setStepMedia',
    step: '11',
    value: { type: 'image', data: [picture(2), { ...picture(1), markup }] },
  });
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()[0]?.body).toEqual({
    steps: [
      { stepid: 11, revisionid: 110, media: { type: 'image', data: [2, { imageid: 1, markup }] } },
      ...others.map(({ stepid, revisionid }) => ({ stepid, revisionid })),
    ],
  });
  await bench.sync();
  expect(server.guide(7).steps[0]?.media).toEqual({
    type: 'image',
    data: [picture(2), { ...picture(1), markup }],
  });
  expect((await now(bench.views.guide('7')))?.steps[0]?.pictures[1]?.markers).toEqual([
    { shape: 'circle', colour: 'red', points: [120, 80, 30] },
  ]);
});

test('discarding an upload parks the save that needs it instead of losing its text', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.addDraftPicture('7', '11', new Blob([png(4, 3)], { type: 'image/png' }), 'photo.png');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'With picture' });
  await bench.actions.saveDraft('7');
  const upload = must(
    bench.outbox.present().find(({ kind }) => kind === 'upload-image'),
    'the upload',
  );
  await bench.actions.discardCall(upload.id);
  const [item] = await now(bench.views.activity());
  expect(item).toMatchObject({
    state: 'parked',
    kind: 'guide',
    refusal: { message: 'It needs something that was discarded' },
  });
  await settled();
});

function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
}
