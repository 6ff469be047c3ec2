import type { WorkVideo } from '#shared/model/work-log.ts';
import { videoRecord } from '#shared/rules/guide-record.ts';
import type { Context } from '#server/core/context.ts';

import { videoFactsOf } from '../media/files.ts';

/** Videos by id, as the values of entries show them. */
export async function workVideos(ctx: Context, videoids: number[]): Promise<Map<number, WorkVideo>> {
  if (videoids.length === 0) return new Map();
  const rows = await ctx.db.selectFrom('video_files').selectAll().where('videoid', 'in', videoids).execute();
  return new Map(
    rows.map((row) => {
      const { videoid, srcid, image, encodings } = videoRecord(videoFactsOf(row), ctx.baseUrl);
      const { id, guid: _guid, ...sizes } = image?.image ?? { id: null, guid: '' };
      const urls = encodings.map(({ column, url }) => [column.toLowerCase(), url]);
      return [
        videoid,
        {
          type: 'GuideVideoObject',
          videoid,
          srcid,
          guid: row.guid,
          active: true,
          imageid: id,
          video_urls: Object.fromEntries(urls) as Record<string, string>,
          ...sizes,
        },
      ];
    }),
  );
}
