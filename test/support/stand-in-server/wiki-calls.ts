import { blankWiki } from '#desktop/engine/outbox/kinds/pages.ts';
import type { Answer } from '#desktop/engine/outbox/answers.ts';
import { documentOf } from '#desktop/engine/features/media/documents.ts';
import { newWiki, wikiEdit, type WikiEdit } from '#shared/api/wikis.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { must } from '#shared/must.ts';

import { type Call, conflict, done, refused } from './call-results.ts';
import { imageOf } from './file-calls.ts';
import type { Records } from './records.ts';

/** The id of a page; '' if there is none. `title`: as in a path. */
export function wikiidOf(records: Records, namespace: string, title: string): string {
  const page = records
    .all<WikiFacts>('wikis')
    .find((facts) => facts.namespace === namespace && facts.title === decodeURIComponent(title));
  return page === undefined ? '' : String(page.wikiid);
}

/** Creates, edits or removes a page. */
export function changeWiki(records: Records, call: Call, id: string, userid: number): Answer {
  if (call.method === 'POST') return createWiki(records, call, userid);
  if (!records.has('wikis', id)) return refused(404, 'Wiki not found');
  const facts = records.read<WikiFacts>('wikis', id);
  if (call.query?.['revisionid'] !== String(facts.revisionid)) return conflict(records, 'wikis', id);
  if (call.method === 'DELETE') return done([records.remove('wikis', id, call.id)]);
  const { contents, image, documents, ...fields } = wikiEdit.parse(call.body);
  const next = {
    ...facts,
    ...fields,
    ...filesOf(records, { image, documents }),
    userid,
    revisionid: records.nextId(),
    modified_date: records.date,
  };
  const written = contents === undefined ? next : { ...next, contents_raw: contents };
  return done([records.put('wikis', id, written, call.id)]);
}

function createWiki(records: Records, call: Call, userid: number): Answer {
  const { contents, namespace, title, image, documents, ...fields } = newWiki.parse(call.body);
  const source = records
    .all<WikiFacts>('wikis')
    .find(({ revisionid }) => revisionid === fields.source_revisionid);
  if (source === undefined && wikiidOf(records, namespace, encodeURIComponent(title)) !== '')
    return refused(422, 'The title is taken');
  const wikiid = records.nextId();
  const blank = { ...(source ?? wikiOf(wikiid, namespace, title)), wikiid, userid, key: call.id };
  const files = filesOf(records, { image, documents });
  const made = { ...blank, ...fields, ...files, contents_raw: contents, revisionid: records.nextId() };
  return done([records.put('wikis', String(wikiid), made, call.id)], { [`tmp:${call.id}`]: wikiid });
}

/** Shows the waiting version to everyone, or restores an earlier one; `revisionid` names the newest. */
export function changeWikiVersion(records: Records, call: Call, id: string, what: string): Answer {
  if (!records.has('wikis', id)) return refused(404, 'Wiki not found');
  const { unpatrolled, ...shown } = records.read<WikiFacts>('wikis', id);
  if (call.query?.['revisionid'] !== String(unpatrolled?.revisionid ?? shown.revisionid))
    return conflict(records, 'wikis', id);
  if (what === 'patrol') return done([records.put('wikis', id, unpatrolled ?? shown, call.id)]);
  const contents_raw = `As in version ${call.query['to_revisionid']}`;
  return done([records.put('wikis', id, { ...shown, contents_raw, revisionid: records.nextId() }, call.id)]);
}

/** The files that an edit of a page names by number. */
function filesOf(
  records: Records,
  { image, documents }: Pick<WikiEdit, 'image' | 'documents'>,
): Partial<WikiFacts> {
  return {
    ...(image === undefined
      ? {}
      : { image: image === null ? null : must(imageOf(records, image), 'picture') }),
    ...(documents === undefined
      ? {}
      : {
          documents: documents.map((one) => {
            const id = typeof one === 'number' ? one : one.documentid;
            return documentOf(records.read('media', `document:${id}`));
          }),
        }),
  };
}

/** An empty wiki page. */
export function wikiOf(wikiid: number, namespace: WikiNamespace, title: string): WikiFacts {
  return {
    wikiid,
    revisionid: wikiid * 10,
    namespace,
    ...blankWiki(title),
    langid: 'en',
    source_revisionid: null,
    userid: 2,
    created_date: 1_760_000_000,
    modified_date: 1_760_000_000,
  };
}
