import { expect, test } from 'vitest';

import { startServer } from '#test/support/server.ts';

test('a guide is created, read and edited, and conflicts on a stale revision', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await server.category('Bench Grinder');
  const made = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'replacement',
      subject: 'Drive Belt',
      steps: [{ key: 'step-key-1', title: 'Unplug', lines: [{ text: "Pull the '''plug'''." }] }],
    },
  });
  expect(made).toMatchObject({
    title: 'Bench Grinder Drive Belt Replacement',
    public: false,
    flags: ['GUIDE_IN_PROGRESS'],
  });
  expect(made.steps[0]?.lines[0]?.text_rendered).toBe('Pull the <strong>plug</strong>.');
  const edited = await ana.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: made.revisionid,
    body: { summary: 'Short' },
  });
  expect(edited.summary).toBe('Short');
  const stale = await ana.call('PATCH', `/guides/${made.guideid}?revisionid=${made.revisionid}`, {
    summary: 'Other',
  });
  expect(stale.status).toBe(409);
  expect(stale.body).toEqual(edited);
});
