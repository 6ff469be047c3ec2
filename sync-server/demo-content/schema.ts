import { z } from 'zod';

import { commentContext } from '#shared/model/comment.ts';
import { formField } from '#shared/model/step-form.ts';

/** Names a person or a team inside the demo content. */
const key = z.string().regex(/^[a-z][a-z0-9-]*$/);
const guid = z.string().regex(/^[A-Za-z0-9]{16}$/);
const seconds = z.int().positive();

/** `own/users.json`: who works in the demo workshop. Nobody has a password; the seed decides how they sign in. */
export const demoPeople = z.strictObject({
  users: z.array(
    z.strictObject({
      key,
      userid: z.int(),
      username: z.string().min(1),
      unique_username: z.string().regex(/^[a-z.]+$/),
      email: z.email().endsWith('@benchbook.example'),
      role: z.enum(['admin', 'technician', 'operator']),
      join_date: seconds,
      reputation: z.int().nonnegative(),
      location: z.string(),
      about_raw: z.string(),
    }),
  ),
  teams: z.array(
    z.strictObject({
      key,
      teamid: z.int(),
      name: z.string().min(1),
      description: z.string(),
      location: z.string(),
      owner: key,
      members: z.array(key).min(1),
    }),
  ),
});
export type DemoPeople = z.infer<typeof demoPeople>;

const remark = { key, user: key, text_raw: z.string().min(12).max(1024), date: seconds };

/** `own/comments.json`: comments with their replies; `user` is the key of a demo user. */
export const demoComments = z.array(
  z.strictObject({
    ...remark,
    context: commentContext.extract(['guide', 'step']),
    contextid: z.int(),
    replies: z.array(z.strictObject(remark)),
  }),
);
export type DemoComments = z.infer<typeof demoComments>;

/** `own/step-forms.json`: one form per step. */
export const demoStepForms = z.array(
  z.strictObject({ form_revisionid: z.int(), stepid: z.int(), fields: z.array(formField).min(1) }),
);
export type DemoStepForms = z.infer<typeof demoStepForms>;

/** A tree of categories: titles with what lies below them. */
export interface CategoryTree {
  [title: string]: CategoryTree;
}
export const categoryTree: z.ZodType<CategoryTree> = z.record(
  z.string(),
  z.lazy(() => categoryTree),
);

/** `own/categories.json`: our own tree, and the pages of categories in it and in the recorded tree. */
export const demoCategories = z.strictObject({
  hierarchy: categoryTree,
  categories: z.array(
    z.strictObject({
      title: z.string().min(1),
      display_title: z.string().min(1),
      description: z.string().min(1),
      contents_raw: z.string().min(1),
      image: guid.nullable(),
    }),
  ),
});
export type DemoCategories = z.infer<typeof demoCategories>;

/** `own/documents/documents.json`: the files beside it, and the guide each belongs to. */
export const demoDocuments = z.array(
  z.strictObject({
    documentid: z.int(),
    guid,
    filename: z.string().regex(/^[a-z0-9-]+\.pdf$/),
    title: z.string().min(1),
    guideid: z.int(),
    pages: z.int().positive(),
  }),
);

/** `own/pictures/markup.json`: the markup string of each picture, empty where nothing is marked. */
export const demoMarkup = z.record(guid, z.string());
