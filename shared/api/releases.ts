import { z } from 'zod';

import { guide } from '#shared/model/guide-record.ts';
import { guideVersion } from '#shared/model/guide.ts';
import { guideRevision, release } from '#shared/model/release.ts';

import { get, idText, limit, offset, order, post } from './endpoint.ts';

const guideId = z.strictObject({ guideid: idText });
const list = z.strictObject({ releases: z.array(release) });
const pages = z.object({ order: order.default('DESC'), limit, offset });

/** Body of POST /guides/{guideid}/releases. Without a title it is numbered after the previous release. */
export const newRelease = z.strictObject({
  title: z.string().trim().min(1).max(100).optional(),
  notes: z.string().max(10_000).default(''),
  type: z.enum(['major', 'minor']).default('major'),
});
export type NewRelease = z.output<typeof newRelease>;

/**
 * Versions and releases of guides. Releases answer 404 unless the site has them switched on.
 *
 * - LIVE-8 The list of all releases is empty while they are switched off.
 */
export const releases = {
  revisions: get('/guides/{guideid}/revisions', {
    summary: 'List the versions of a guide, newest first; ?guide_revisionid= of the guide reads each',
    access: 'public',
    params: guideId,
    query: z.object({ limit, offset }),
    result: z.array(guideRevision),
    extension: true,
  }),
  revision: get('/guides/{guideid}/revisions/{guide_revisionid}', {
    summary: 'Read the text of one version of a guide, with the identities of its steps and lines',
    access: 'public',
    params: z.strictObject({ guideid: idText, guide_revisionid: idText }),
    result: guideVersion.meta({ id: 'GuideVersion' }),
    extension: true,
  }),
  list: get('/guides/releases', {
    summary: 'List releases of guides, newest first',
    query: pages,
    result: list,
    extension: true,
  }),
  ofGuide: get('/guides/{guideid}/releases', {
    summary: 'List the releases of a guide, newest first',
    access: 'public',
    params: guideId,
    query: pages,
    result: list,
    extension: true,
  }),
  read: get('/guides/{guideid}/releases/{releaseid}', {
    summary: 'Read a guide as it was released',
    access: 'public',
    params: z.strictObject({ guideid: idText, releaseid: idText }),
    result: guide,
    extension: true,
  }),
  create: post('/guides/{guideid}/releases', {
    summary: 'Release the present version of a guide',
    status: 201,
    params: guideId,
    revisioned: guide,
    body: newRelease,
    result: release,
    extension: true,
  }),
};
