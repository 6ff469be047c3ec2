import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { bullets } from '#shared/model/guide.ts';
import type { RichTextNode } from '#shared/model/rich-text.ts';
import { fieldTypes } from '#shared/model/step-form.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import { plainText } from '#shared/formats/wikitext/plain-text.ts';
import { loadOwnContent, loadRecordedContent } from '#server/demo-content/load.ts';

const own = loadOwnContent();
const steps = own.guides.flatMap((guide) => guide.steps);
const lines = steps.flatMap((step) => step.lines);
const driveBelt = must(
  own.guides.find((guide) => guide.guideid === 9001),
  'the drive belt guide',
);
const lockout = must(
  own.guides.find((guide) => guide.guideid === 9002),
  'the lockout guide',
);

const context = {
  ...plainContext,
  guideTitle: (guideid: number) => own.guides.find((guide) => guide.guideid === guideid) ?? null,
};

describe('our own demo guides', () => {
  it('are a replacement in ten steps and its prerequisite', () => {
    expect(
      own.guides.map(({ guideid, type, category, steps: all, prerequisites }) => ({
        guideid,
        type,
        category,
        steps: all.map((step) => step.orderby),
        prerequisites: prerequisites.map((guide) => guide.guideid),
      })),
    ).toEqual([
      {
        guideid: 9001,
        type: 'replacement',
        category: 'Bench Grinder',
        steps: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        prerequisites: [9002],
      },
      { guideid: 9002, type: 'technique', category: 'Bench Grinder', steps: [1, 2, 3, 4], prerequisites: [] },
    ]);
  });

  it('stay within the limits of summaries, steps and lines', () => {
    const broken = [
      ...own.guides.filter((guide) => guide.summary.length === 0 || guide.summary.length >= 156),
      ...steps.filter((step) => step.title === '' || step.lines.length < 1 || step.lines.length > 8),
      ...lines.filter((line) => line.text_raw.length > 350),
      ...steps.filter((step) =>
        step.lines.some((line, i) => line.level > (step.lines[i - 1]?.level ?? -1) + 1),
      ),
    ];
    expect(broken).toEqual([]);
  });

  it('use every kind of bullet and every level', () => {
    expect(new Set(driveBelt.steps.flatMap((step) => step.lines.map((line) => line.bullet)))).toEqual(
      new Set(bullets),
    );
    expect(new Set(lines.map((line) => line.level))).toEqual(new Set([0, 1, 2]));
  });

  it('contain the rendering of their wiki text', () => {
    expect(lines.map((line) => line.text_rendered)).toEqual(
      lines.map((line) => renderLine(line.text_raw, context)),
    );
    for (const guide of own.guides) {
      expect(guide.introduction_rendered).toBe(renderBlocks(guide.introduction_raw, context));
      expect(guide.conclusion_rendered).toBe(renderBlocks(guide.conclusion_raw, context));
    }
  });

  it('say the same in the rich-text tree of the introduction', () => {
    const words = (text: string): string => text.replaceAll(/[\s*•-]+/g, ' ').trim();
    for (const guide of own.guides)
      expect(words(textOf(guide.introduction_json))).toBe(words(plainText(guide.introduction_raw, context)));
  });

  it('name the prerequisite correctly', () => {
    expect(driveBelt.prerequisites[0]).toMatchObject({
      userid: lockout.author.userid,
      username: lockout.author.username,
      url: lockout.url,
      revisionid: lockout.revisionid,
      title: lockout.title,
      summary: lockout.summary,
      modified_date: lockout.modified_date,
      time_required_max: lockout.time_required_max,
      image: lockout.image,
      flags: lockout.flags,
    });
  });

  it('use ids that no recorded guide uses', () => {
    const recorded = JSON.stringify(loadRecordedContent().guides);
    const idsIn = (name: string): Set<string> =>
      new Set([...recorded.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map((match) => match[1] ?? ''));
    const [guideids, stepids, userids, imageids] = ['guideid', 'stepid', 'userid', 'id'].map(idsIn);
    expect(own.guides.filter((guide) => guideids?.has(String(guide.guideid)))).toEqual([]);
    expect(steps.filter((step) => stepids?.has(String(step.stepid)))).toEqual([]);
    expect(own.people.users.filter((user) => userids?.has(String(user.userid)))).toEqual([]);
    expect(own.guides.filter((guide) => imageids?.has(String(guide.image?.id)))).toEqual([]);
  });
});

describe('the records around our own guides', () => {
  it('have step forms with every field type, on steps of the drive belt guide', () => {
    const stepids = driveBelt.steps.map((step) => step.stepid);
    expect(own.stepForms.filter((form) => !stepids.includes(form.stepid))).toEqual([]);
    const fields = own.stepForms.flatMap((form) => form.fields);
    expect(new Set(fields.map((field) => field.field_type))).toEqual(new Set(fieldTypes));
    expect(new Set(fields.map((field) => field.field_guid)).size).toBe(fields.length);
  });

  it('have numeric fields with limits and a unit', () => {
    const numeric = own.stepForms.flatMap((form) =>
      form.fields.filter((field) => field.field_type === 'Numeric Input'),
    );
    expect(numeric.length).toBeGreaterThan(1);
    for (const { label, options } of numeric) {
      expect(label).toMatch(/ \((Nm|mm)\)$/);
      expect(options).toMatchObject({ limit_min: true, limit_max: true });
    }
  });

  it('have choices exactly where a field needs them', () => {
    for (const { field_type, options } of own.stepForms.flatMap((form) => form.fields)) {
      if (field_type === 'Radios' || field_type === 'Select') expect(options).not.toHaveLength(0);
      else if (field_type !== 'Numeric Input') expect(options).toEqual([]);
    }
  });

  it('name only existing people', () => {
    const keys = new Set(own.people.users.map((user) => user.key));
    const named = [
      ...own.people.teams.flatMap((team) => [team.owner, ...team.members]),
      ...own.comments.flatMap((comment) => [comment.user, ...comment.replies.map((reply) => reply.user)]),
    ];
    expect(named.filter((name) => !keys.has(name))).toEqual([]);
    expect(own.people.teams.every((team) => team.members.includes(team.owner))).toBe(true);
    expect(own.people.users.map((user) => user.role).toSorted()).toEqual([
      'admin',
      'operator',
      'technician',
      'technician',
    ]);
  });

  it('have one author, with the teams of the people list', () => {
    const ana = must(
      own.people.users.find((user) => user.key === 'ana'),
      'Ana',
    );
    const teams = own.people.teams.filter((team) => team.members.includes('ana')).map((team) => team.teamid);
    for (const { author } of own.guides)
      expect(author).toMatchObject({
        userid: ana.userid,
        username: ana.username,
        join_date: ana.join_date,
        teams,
      });
  });

  it('have comments on existing guides and steps, replies after their parents', () => {
    const targets = {
      guide: own.guides.map((guide) => guide.guideid),
      step: steps.map((step) => step.stepid),
    };
    for (const { context: kind, contextid, date, replies } of own.comments) {
      expect(targets[kind]).toContain(contextid);
      expect(replies.filter((reply) => reply.date <= date)).toEqual([]);
    }
  });

  it('describe every category of our own tree, and only categories of the two trees', () => {
    const described = own.categories.categories.map((category) => category.title);
    const titles = (tree: object): string[] =>
      Object.entries(tree).flatMap(([title, below]) => [title, ...titles(below as object)]);
    const ours = titles(own.categories.hierarchy);
    const known = [...ours, ...titles(loadRecordedContent().categories)];
    expect(ours.filter((title) => !described.includes(title))).toEqual([]);
    expect(described.filter((title) => !known.includes(title))).toEqual([]);
    expect(ours).toContain(driveBelt.category);
  });
});

function textOf(node: RichTextNode): string {
  const inside = (node.content ?? []).map(textOf);
  return (
    node.text ??
    (node.type === 'paragraph' || node.type === 'heading' ? `${inside.join('')} ` : inside.join(''))
  );
}
