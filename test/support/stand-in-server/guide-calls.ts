import type { Answer } from '#desktop/engine/outbox/answers.ts';
import { type GuideEdit, type NewGuide, guideEdit, newGuide } from '#shared/api/guides.ts';
import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import { type GuideContent, contentOf, stepKeyOf } from '#shared/rules/guide-content.ts';
import { applyBody } from '#shared/rules/guide-edit-body.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideOf } from '#test/support/guide-edits.ts';

import { type Call, conflict, done, refused } from './call-results.ts';
import { imageOf } from './file-calls.ts';
import type { Records } from './records.ts';

export function createGuide(records: Records, call: Call, userid: number): Answer {
  const parsed = newGuide.safeParse(call.body);
  if (!parsed.success) return refused(422, parsed.error.message);
  const guideid = records.nextId();
  const { guideid: _id, ...blank } = guideOf([], {
    userid,
    public: false,
    title: '',
    summary: '',
    introduction_raw: '',
    conclusion_raw: '',
    flags: [],
    parts: [],
    tools: [],
    documents: [],
    prerequisites: [],
    subject: '',
    category: '',
  });
  const made: GuideFacts = { guideid, ...blank, revisionid: 0, guide_revisionid: 0, key: call.id };
  const created = new Map<string, number>();
  const facts = revised(records, made, contentAfter(records, made, parsed.data), created);
  const row = records.put('guides', String(guideid), facts, call.id);
  return done([row], { [`tmp:${call.id}`]: guideid, ...Object.fromEntries(created) });
}

/** An edit, a publication or a removal. `part`: what follows the number in the path. */
export function reviseGuide(records: Records, call: Call, id: string, part: string): Answer {
  if (!records.has('guides', id)) return refused(404, 'Guide not found');
  const facts = records.read<GuideFacts>('guides', id);
  const { revisionid = '' } = call.query ?? {};
  if (!/^\d+$/.test(revisionid)) return refused(422, 'revisionid must be a number');
  const isCurrent = Number(revisionid) === facts.revisionid;
  if (part === 'public') {
    if (!isCurrent) return conflict(records, 'guides', id);
    const next = { ...facts, public: call.method === 'PUT', revisionid: records.nextId() };
    return done([records.put('guides', id, next, call.id)]);
  }
  if (call.method === 'DELETE')
    return isCurrent ? done([records.remove('guides', id, call.id)]) : conflict(records, 'guides', id);
  const parsed = guideEdit.safeParse(call.body);
  if (!parsed.success) return refused(422, parsed.error.message);
  if (!isCurrent || !namesAllSteps(facts, parsed.data)) return conflict(records, 'guides', id);
  const created = new Map<string, number>();
  const next = revised(records, facts, contentAfter(records, facts, parsed.data), created);
  return done([records.put('guides', id, next, call.id)], Object.fromEntries(created));
}

function contentAfter(records: Records, facts: GuideFacts, body: GuideEdit | NewGuide): GuideContent {
  return applyBody(facts, body as GuideEdit, {
    image: (id) => imageOf(records, Number(id)),
    document: () => undefined,
    object: () => undefined,
    newLineId: () => `line-${records.nextId()}`,
  });
}

/**
 * The next revision of a guide; changed and new steps get new revisions too. `created` receives the numbers of new steps
 * by temporary id.
 */
export function revised(
  records: Records,
  facts: GuideFacts,
  content: GuideContent,
  created: Map<string, number>,
): GuideFacts {
  const old = new Map(facts.steps.map((step) => [stepKeyOf(step), step]));
  const before = new Map(contentOf(facts).steps.map((step) => [step.key, step]));
  const steps = content.steps.map((step): StepFacts => {
    const known = old.get(step.key);
    if (known !== undefined && sameValue(before.get(step.key), step)) return known;
    const { key, ...fields } = step;
    const stepid = known?.stepid ?? records.nextId();
    if (known === undefined) created.set(key.startsWith('tmp:') ? key : `tmp:${key}`, stepid);
    const lines = fields.lines.map((line) => ({ ...line, lineid: null }));
    const isNamed = known === undefined || known.key !== undefined;
    const media = fields.media as StepFacts['media'];
    return { ...fields, media, lines, stepid, revisionid: records.nextId(), ...(isNamed ? { key } : {}) };
  });
  const { steps: _steps, featured_documentid: _featured, prerequisites, ...fields } = content;
  const revisionid = records.nextId();
  return {
    ...facts,
    ...fields,
    prerequisites: prerequisites.map(Number),
    steps,
    revisionid,
    guide_revisionid: revisionid,
    modified_date: records.date,
  };
}

function namesAllSteps(facts: GuideFacts, { steps, removed_steps }: GuideEdit): boolean {
  if (steps === undefined && removed_steps === undefined) return true;
  const named = [...(steps ?? []), ...(removed_steps ?? [])].flatMap((step) =>
    'stepid' in step ? [step] : [],
  );
  const revisions = new Map(facts.steps.map(({ stepid, revisionid }) => [stepid, revisionid]));
  return (
    named.length === revisions.size && named.every((step) => revisions.get(step.stepid) === step.revisionid)
  );
}
