import { z } from 'zod';

import { variantCategory, variantGuide, variantListedGuide } from '#shared/model/omanual-variant.ts';

import { get, idText, limit, offset, order, presenceSwitch } from './endpoint.ts';

const format = z.enum(['JSON', 'XML']).default('JSON');

/** The JSON variant of oManual 1.0 (IEEE 1874), read-only, under `/omanual/1.0`. */
export const omanualVariant = {
  guides: get('/1.0/guides', {
    summary: 'List guides as oManual does',
    access: 'public',
    root: '/omanual',
    query: z.object({
      guideids: z.string().optional(),
      filter: z.string().optional(),
      order,
      offset,
      limit,
    }),
    result: z.array(variantListedGuide),
    extension: true,
  }),
  guide: get('/1.0/guides/{guideid}', {
    summary: 'Read a guide as oManual does',
    access: 'public',
    root: '/omanual',
    params: z.strictObject({ guideid: idText }),
    query: z.object({ excludePrerequisiteSteps: presenceSwitch, unpatrolled: presenceSwitch, type: format }),
    result: variantGuide,
    produces: ['application/xml'],
    extension: true,
  }),
  categories: get('/1.0/categories', {
    summary: 'List the categories as oManual does',
    access: 'public',
    root: '/omanual',
    query: z.object({ offset, limit }),
    result: z.array(z.string()),
    extension: true,
  }),
  category: get('/1.0/categories/{categoryname}', {
    summary: 'Read a category as oManual does',
    access: 'public',
    root: '/omanual',
    params: z.strictObject({ categoryname: z.string().min(1) }),
    query: z.object({ type: format }),
    result: variantCategory,
    produces: ['application/xml'],
    extension: true,
  }),
};
