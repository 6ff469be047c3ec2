import { describe, expect, test } from 'vitest';

import { ana, create, edit, fieldsOf, made, otto, path, read } from './world.ts';

/** Edits of translated wikis. */
export function testTranslations(): void {
  describe('translations', () => {
    test('WIKI-5 name the categories around an untranslated one', async () => {
      const { title: upper, revisionid } = await made({ namespace: 'CATEGORY' });
      const middle = await made({ namespace: 'CATEGORY', parent: upper });
      const { title: lower, revisionid: lowest } = await made({
        namespace: 'CATEGORY',
        parent: middle.title,
      });
      for (const [title, source, shown] of [
        [upper, revisionid, 'Oben'],
        [lower, lowest, 'Unten'],
      ] as const) {
        const german = {
          title,
          namespace: 'CATEGORY',
          display_title: shown,
          langid: 'de',
          contents: 'Hier.',
        };
        expect((await create({ ...german, source_revisionid: source })).status).toBe(201);
      }
      const around = (ancestor: string, child: string) => ({
        langid: 'en',
        ancestors: [{ title: upper, display_title: ancestor }],
        children: [{ title: lower, display_title: child }],
      });
      expect((await read(middle, '?langid=de')).body).toMatchObject(around('Oben', 'Unten'));
      for (const query of ['', '?langid=en', '?langid=xx'])
        expect((await read(middle, query)).body).toMatchObject(around(upper, lower));
    });

    test('are made from a version of the source, one in each language of the site', async () => {
      const source = await made({ title: 'Oil', namespace: 'CATEGORY', contents: 'Oil.' });
      const body = { namespace: 'CATEGORY', title: 'Oil', contents: 'Öl.', display_title: 'Öl' };
      expect(fieldsOf(await create({ ...body, source_revisionid: source.revisionid }))).toEqual(['langid']);
      const from = { ...body, source_revision_id: source.revisionid };
      expect(fieldsOf(await create({ ...from, langid: 'fr' }))).toEqual(['langid']);
      expect(fieldsOf(await create({ ...from, langid: 'en' }))).toEqual(['langid']);
      expect(fieldsOf(await create({ ...body, source_revisionid: 987_654, langid: 'de' }))).toEqual([
        'source_revisionid',
      ]);
      const german = await create(from, ana, '?langid=de');
      expect(german).toMatchObject({
        status: 201,
        body: {
          langid: 'de',
          display_title: 'Öl',
          source_revisionid: source.revisionid,
          available_langids: ['de', 'en'],
        },
      });
      expect(fieldsOf(await create({ ...from, langid: 'de' }))).toEqual(['langid']);
      // Old clients send jp for ja, and lang for langid.
      const japanese = await create({ ...from, display_title: 'オイル', langid: 'jp' });
      expect(japanese.body.langid).toBe('ja');
      for (const query of ['?lang=jp', '?langid=ja', '?langid=ja-JP'])
        expect((await read(source, query)).body.display_title).toBe('オイル');
      expect((await read(source, '?langid=fr')).body.langid).toBe('en');
      const edited = await ana.call(
        'PATCH',
        path(source, `?langid=de&revisionid=${german.body.revisionid}`),
        {
          contents: 'Schmieröl.',
        },
      );
      expect(edited).toMatchObject({ status: 200, body: { langid: 'de', contents_raw: 'Schmieröl.' } });
      expect((await read(source)).body.contents_raw).toBe('Oil.');
    });

    test('have the parent of their source, and are deleted with it', async () => {
      await made({ title: 'Fluids', namespace: 'CATEGORY' });
      const source = await made({ title: 'Grease', namespace: 'CATEGORY' });
      const body = {
        namespace: 'CATEGORY',
        title: 'Grease',
        langid: 'de',
        source_revisionid: source.revisionid,
      };
      const german = (await create({ ...body, display_title: 'Fett' })).body;
      const query = `?langid=de&revisionid=${german.revisionid}`;
      expect(fieldsOf(await ana.call('PATCH', path(german, query), { parent: 'Fluids' }))).toEqual([
        'parent',
      ]);
      await edit(source, { parent: 'Fluids' });
      expect((await read(source, '?langid=de')).body).toMatchObject({
        display_title: 'Fett',
        parent: 'Fluids',
      });
      const tree = await ana.call('GET', '/wikis/CATEGORY?display=hierarchy&langid=de');
      expect(tree.body).toMatchObject({
        hierarchy: { Fluids: { Grease: null } },
        display_titles: { Grease: 'Fett' },
      });
      expect((await otto.call('DELETE', path(german, query))).status).toBe(204);
      expect((await read(source, '?langid=de')).body).toMatchObject({
        langid: 'en',
        available_langids: ['en'],
      });
    });
  });
}
