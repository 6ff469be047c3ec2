import { z } from 'zod';

import type { Version } from './operation.ts';

/** A record whose history is checked: how it is saved, and which responses contain its version. */
export interface CheckedRecord {
  /** Identifies a record: `guide/12`, `step/40`, `page/Radio care`. */
  key: string;
  /** Path below `/api/2.0` of PATCH; without its revisionid. */
  path: string;
  /** Body of a save in which only `text` distinguishes versions. */
  body: (text: string) => object;
}

/** The versions in one response, by the keys of their records. */
export type Told = ReadonlyMap<string, Version>;

const stepBody = z.looseObject({ stepid: z.int(), revisionid: z.int(), title: z.string() });
const guideBody = z.looseObject({
  guideid: z.int(),
  revisionid: z.int(),
  summary: z.string(),
  steps: z.array(stepBody).default([]),
});
const wikiBody = z.looseObject({ title: z.string(), revisionid: z.int(), contents_raw: z.string() });
const rows = z.array(
  z.looseObject({ c: z.string(), doc: z.unknown().optional() }).transform(({ c, doc }) => ({ c, doc })),
);

type Entry = [key: string, version: Version];

const guideTold = ({ guideid, revisionid, summary, steps }: z.infer<typeof guideBody>): Entry[] => [
  [`guide/${guideid}`, { revisionid, text: summary }],
  ...steps.map((step): Entry => [`step/${step.stepid}`, { revisionid: step.revisionid, text: step.title }]),
];
const wikiTold = ({ title, revisionid, contents_raw }: z.infer<typeof wikiBody>): Entry => [
  `page/${title}`,
  { revisionid, text: contents_raw },
];

/** From a guide as `GET /guides/{guideid}`, PATCH and 409 send it. Throws if it is none. */
export function toldByGuide(body: unknown): Told {
  return new Map(guideTold(guideBody.parse(body)));
}

/** From the list of guides, which contains no steps. */
export function toldByList(body: unknown): Told {
  return new Map(z.array(guideBody).parse(body).flatMap(guideTold));
}

/** From a page. */
export function toldByPage(body: unknown): Told {
  return new Map([wikiTold(wikiBody.parse(body))]);
}

/** From a step, as PATCH and 409 send it. */
export function toldByStep(body: unknown): Told {
  const { stepid, revisionid, title } = stepBody.parse(body);
  return new Map([[`step/${stepid}`, { revisionid, text: title }]]);
}

/** From the rows of a pull. */
export function toldByPull(body: unknown): Told {
  return new Map(
    rows.parse(body).flatMap(({ c, doc }) => {
      if (doc === undefined) return [];
      if (c === 'guides') return guideTold(guideBody.parse(doc));
      return c === 'wikis' ? [wikiTold(wikiBody.parse(doc))] : [];
    }),
  );
}
