import { describe, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';

import { type Answer, ana, create, edit, fieldsOf, made, otto, path, read } from './world.ts';

/** Edits of the tree of categories. */
export function testTree(): void {
  describe('the tree of categories', () => {
    async function category(title: string, parent: string | null = null): Promise<Wiki> {
      return made({ namespace: 'CATEGORY', title, parent });
    }

    test('moves a category under another, and refuses circles and missing parents', async () => {
      const machines = await category('Machines');
      const grinder = await category('Grinder', 'Machines');
      const wheel = await category('Wheel', 'Grinder');
      const parentIs = async (wiki: Wiki, parent: string | null): Promise<Answer> => edit(wiki, { parent });
      expect(fieldsOf(await parentIs(machines, 'Wheel'))).toEqual(['parent']);
      expect(fieldsOf(await parentIs(machines, 'Machines'))).toEqual(['parent']);
      expect(fieldsOf(await parentIs(machines, 'Nothing'))).toEqual(['parent']);
      expect((await parentIs(wheel, 'Machines')).body).toMatchObject({ parent: 'Machines' });
      expect((await read(grinder)).body).toMatchObject({ children: [], ancestors: [{ title: 'Machines' }] });
      expect((await read(machines)).body).toMatchObject({
        children: [{ title: 'Grinder' }, { title: 'Wheel' }],
      });
    });

    test('a new name is applied to subcategories, translations and guides', async () => {
      const saws = await category('Saws');
      await category('Band saw', 'Saws');
      const guide = await ana.client.guides.create({
        body: { category: 'Saws', type: 'repair', title: 'Sharpen', public: true },
      });
      await create({
        namespace: 'CATEGORY',
        title: 'Saws',
        contents: 'Sägen',
        display_title: 'Sägen',
        langid: 'de',
        source_revisionid: saws.revisionid,
      });
      expect((await edit(saws, { title: 'Sawing' })).status).toBe(403);
      expect(fieldsOf(await edit(saws, { title: 'Band saw' }, otto))).toEqual(['title']);
      const renamed = await edit(saws, { title: 'Sawing' }, otto);
      expect(renamed.body).toMatchObject({
        title: 'Sawing',
        display_title: 'Sawing',
        guides: [{ guideid: guide.guideid, category: 'Sawing' }],
        children: [{ title: 'Band saw' }],
      });
      expect((await read(saws)).body).toMatchObject({ title: 'Sawing' });
      expect((await read(renamed.body, '?langid=de')).body).toMatchObject({ display_title: 'Sägen' });
      expect((await read({ namespace: 'CATEGORY', title: 'Band saw' })).body).toMatchObject({
        parent: 'Sawing',
      });
      const read2 = await ana.call('GET', `/guides/${guide.guideid}`);
      expect(read2.body as Guide).toMatchObject({ category: 'Sawing', revisionid: guide.revisionid });
    });

    test('finds a page by its former names, until another page takes one', async () => {
      const oiling = await made({ title: 'Oiling' });
      const named = async (title: string): Promise<unknown> => {
        const { status, body } = await read({ namespace: oiling.namespace, title });
        return status === 200 ? body.title : status;
      };
      const once = (await edit(oiling, { title: 'Lubricating' }, otto)).body;
      const twice = (await edit(once, { title: 'Greasing' }, otto)).body;
      expect(await Promise.all(['Oiling', 'Lubricating', 'Greasing'].map(named))).toEqual(
        Array(3).fill('Greasing'),
      );
      // An edit by an offline device under the old name reaches the page, and follows the same rules.
      const late = await edit({ ...twice, title: 'Oiling' }, { contents: 'Late' });
      expect(late).toMatchObject({ status: 200, body: { title: 'Greasing', contents_raw: 'Late' } });
      expect((await edit({ ...twice, title: 'Oiling' }, { contents: 'Stale' })).status).toBe(409);
      expect((await edit({ ...late.body, title: 'Oiling' }, { title: 'Mine' })).status).toBe(403);
      await made({ title: 'Oiling' });
      expect(await named('Oiling')).toBe('Oiling');
      expect((await edit(late.body, { title: 'Lubricating' }, otto)).status).toBe(200);
      expect(await Promise.all(['Lubricating', 'Greasing'].map(named))).toEqual(Array(2).fill('Lubricating'));
      const last = (await read({ namespace: oiling.namespace, title: 'Greasing' })).body;
      const removed = await otto.call('DELETE', path(last, `?revisionid=${last.revisionid}`));
      expect([removed.status, await named('Lubricating'), await named('Greasing')]).toEqual([204, 404, 404]);
    });

    test('does not delete a category with subcategories', async () => {
      const presses = await category('Presses');
      const small = await category('Small press', 'Presses');
      const remove = async (wiki: Wiki, by = otto, revisionid = wiki.revisionid): Promise<Answer<unknown>> =>
        by.call('DELETE', path(wiki, `?revisionid=${revisionid}`));
      expect((await remove(presses, ana)).status).toBe(403);
      expect((await remove(presses)).status).toBe(422);
      expect((await remove(small, otto, 1)).status).toBe(409);
      expect((await remove(small)).status).toBe(204);
      expect((await read(small)).status).toBe(404);
      expect((await remove(small)).status).toBe(404);
      expect((await remove(presses)).status).toBe(204);
      const all = await ana.call('GET', '/categories/all');
      expect(all.body as string[]).not.toContain('Presses');
      // The name is free again, and the history is kept.
      const again = await category('Presses');
      const history = await ana.call('GET', path(again, '/revisions'));
      expect((history.body as { revisionid: number }[]).map((one) => one.revisionid)).toEqual([
        again.revisionid,
        presses.revisionid,
      ]);
    });
  });
}
