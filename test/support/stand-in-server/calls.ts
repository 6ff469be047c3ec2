import type { Answer } from '#desktop/engine/outbox/answers.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

import { type Call, done, refused } from './call-results.ts';
import { upload } from './file-calls.ts';
import { createGuide, reviseGuide } from './guide-calls.ts';
import type { Records } from './records.ts';
import { changeWiki, changeWikiVersion, wikiidOf } from './wiki-calls.ts';
import { changeEntry } from './work-log-calls.ts';

const commentEditMs = 5 * 60_000;

/** Runs a documented call of a person on the records. Null: the stand-in has no such call. */
export function runCall(records: Records, call: Call, userid: number): Answer | null {
  const [first = '', second = '', third = '', fourth = ''] = call.path.slice(1).split('/');
  switch (first) {
    case 'guides':
      if (second === '') return createGuide(records, call, userid);
      if (third === 'tag') return tag(records, call, 'guide', second);
      if (third === 'completed') return mark(records, call, 'completion', second);
      return reviseGuide(records, call, second, third);
    case 'wikis': {
      const id = wikiidOf(records, second, third);
      if (fourth === 'tag') return tag(records, call, 'wiki', id);
      if (fourth !== '') return changeWikiVersion(records, call, id, fourth);
      return changeWiki(records, call, id, userid);
    }
    case 'user':
      if (second === 'favorites') return mark(records, call, 'favorite', fourth);
      return second === 'media' ? upload(records, call, userid) : null;
    case 'comments':
      return comment(records, call, second, third, userid);
    case 'work_log':
      return changeEntry(records, call, second, third, userid);
    default:
      return null;
  }
}

function mark(records: Records, call: Call, kind: 'favorite' | 'completion', guideid: string): Answer {
  const id = `${kind}:${guideid}`;
  if (!records.has('guides', guideid)) return refused(404, 'Guide not found');
  if (call.method === 'DELETE')
    return done(records.has('viewer', id) ? [records.remove('viewer', id, call.id)] : []);
  return done([records.put('viewer', id, { kind, guideid: Number(guideid), date: records.date }, call.id)]);
}

function tag(records: Records, call: Call, of: 'guide' | 'wiki', about: string): Answer {
  if (!records.has(`${of}s`, about)) return refused(404, 'Not found');
  const id = `${of}Tags:${about}`;
  const { tag: name } = call.body as { tag: string };
  const known = records.has('viewer', id) ? records.read<{ tags: string[] }>('viewer', id).tags : [];
  const rest = known.filter((one) => one !== name);
  if (call.method === 'DELETE' && rest.length === known.length) return refused(404, 'Tag not found');
  const tags = call.method === 'PUT' ? [...rest, name].toSorted() : rest;
  const facts = { kind: `${of}Tags`, [`${of}id`]: Number(about), tags };
  return done([records.put('viewer', id, facts, call.id)]);
}

/** Creates a comment on `second` (guide, step or wiki) `third`, or changes comment `second`. */
function comment(records: Records, call: Call, second: string, third: string, userid: number): Answer {
  if (call.method === 'POST') return createComment(records, call, second, third, userid);
  if (!records.has('comments', second)) return refused(404, 'Comment not found');
  const facts = records.read<CommentFacts>('comments', second);
  if (records.now - facts.date * 1000 > commentEditMs)
    return refused(403, 'A comment can be edited within five minutes of posting it');
  if (call.method === 'DELETE') return done([records.remove('comments', second, call.id)]);
  const { text } = call.body as { text: string };
  const next = { ...facts, text_raw: text, modified_date: records.date + 1 };
  return done([records.put('comments', second, next, call.id)]);
}

function createComment(records: Records, call: Call, context: string, id: string, userid: number): Answer {
  const guideid = context === 'wiki' ? null : guideidOf(records, context, id);
  if (context === 'wiki' ? !records.has('wikis', id) : guideid === null) return refused(404, 'Not found');
  const { text, parentid = null } = call.body as { text: string; parentid?: number };
  const commentid = records.nextId();
  const facts: CommentFacts = {
    commentid,
    key: call.id,
    langid: 'en',
    context: context === 'wiki' || context === 'step' ? context : 'guide',
    contextid: Number(id),
    guideid,
    parentid,
    userid,
    text_raw: text,
    date: records.date,
    modified_date: records.date,
    replied_date: 0,
    rating: 0,
    status: '',
    status_reason: null,
  };
  return done([records.put('comments', String(commentid), facts, call.id)], {
    [`tmp:${call.id}`]: commentid,
  });
}

/** The guide that a comment is about; null if it does not exist. */
function guideidOf(records: Records, context: string, id: string): number | null {
  if (context !== 'step') return records.has('guides', id) ? Number(id) : null;
  const guide = records
    .all<GuideFacts>('guides')
    .find(({ steps }) => steps.some(({ stepid }) => stepid === Number(id)));
  return guide?.guideid ?? null;
}
