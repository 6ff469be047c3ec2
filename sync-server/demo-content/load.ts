import { readFileSync, readdirSync } from 'node:fs';

import type { z } from 'zod';

import { guide, type Guide } from '#shared/model/guide-record.ts';

import {
  categoryTree,
  demoCategories,
  demoComments,
  demoDocuments,
  demoMarkup,
  demoPeople,
  demoStepForms,
  type CategoryTree,
  type DemoCategories,
  type DemoComments,
  type DemoPeople,
  type DemoStepForms,
} from './schema.ts';

export type DemoPicture = { guid: string; file: URL; markup: string | null };
export type DemoDocument = z.infer<typeof demoDocuments>[number] & { file: URL };

/** The recorded API responses of another site, as input for the import. */
export type RecordedContent = {
  guides: unknown[];
  index: unknown;
  categories: CategoryTree;
  /** Licence and origin, as Markdown. */
  attribution: string;
};

export type OwnContent = {
  guides: Guide[];
  stepForms: DemoStepForms;
  categories: DemoCategories;
  comments: DemoComments;
  people: DemoPeople;
  documents: DemoDocument[];
  pictures: DemoPicture[];
};

/** Reads the recorded guides in the order of their ids. */
export function loadRecordedContent(): RecordedContent {
  return {
    guides: guideFiles('ose/guides/').map(readJson),
    index: readJson('ose/guides_index.json'),
    categories: categoryTree.parse(readJson('ose/categories.json')),
    attribution: readFileSync(locate('ose/ATTRIBUTION.md'), 'utf8'),
  };
}

/** Reads our own guides and their forms, comments, people and files. Throws if a file violates its schema. */
export function loadOwnContent(): OwnContent {
  const markup = demoMarkup.parse(readJson('own/pictures/markup.json'));
  return {
    guides: guideFiles('own/guides/').map((path) => guide.parse(readJson(path))),
    stepForms: demoStepForms.parse(readJson('own/step-forms.json')),
    categories: demoCategories.parse(readJson('own/categories.json')),
    comments: demoComments.parse(readJson('own/comments.json')),
    people: demoPeople.parse(readJson('own/users.json')),
    documents: demoDocuments
      .parse(readJson('own/documents/documents.json'))
      .map((document) => ({ ...document, file: locate(`own/documents/${document.filename}`) })),
    pictures: Object.entries(markup).map(([guid, text]) => ({
      guid,
      file: locate(`own/pictures/${guid}.svg`),
      markup: text || null,
    })),
  };
}

/** The page with the authors and licences of the demo guides, as wiki text. */
export function loadLicensing(): string {
  return readFileSync(locate('own/licensing.txt'), 'utf8').trim();
}

function guideFiles(folder: string): string[] {
  const ids = readdirSync(locate(folder)).map((name) => Number.parseInt(name, 10));
  return ids.toSorted((a, b) => a - b).map((id) => `${folder}${id}.json`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(locate(path), 'utf8'));
}

function locate(path: string): URL {
  return new URL(path, import.meta.url);
}
