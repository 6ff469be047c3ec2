import type { EmbedFacts, MediaFacts, VideoFacts } from '#shared/model/guide.ts';

import type { EmbedAnswer, MediaAnswer, VideoAnswer } from './answer.ts';
import { imageRefOf } from './images.ts';

/** Addresses of the video players that a guide may embed. */
const players =
  /^https:\/\/(?:www\.)?(?:youtube-nocookie\.com|youtube\.com|player\.vimeo\.com)\/[\w./?=&%-]+$/;

/**
 * Media of a step as facts; `notes` lists what was left out. `relative` makes addresses of the answer's site relative.
 */
export function mediaFactsOf(
  media: MediaAnswer,
  relative: (url: string) => string,
): { media: MediaFacts; notes: string[] } {
  switch (media.type) {
    case 'image':
      return { media: { type: 'image', data: media.data.map(imageRefOf) }, notes: [] };
    case 'video':
      return { media: { type: 'video', data: videoFactsOf(media.data, relative) }, notes: [] };
    case 'embed': {
      const embed = embedFactsOf(media.data);
      if (embed !== null) return { media: { type: 'embed', data: embed }, notes: [] };
      const notes = [`The embedded page ${media.data.url} was left out: it is no player we know`];
      return { media: { type: 'image', data: [] }, notes };
    }
  }
}

/** A video as facts. */
export function videoFactsOf(video: VideoAnswer, relative: (url: string) => string): VideoFacts {
  const { image } = video;
  return {
    ...video,
    objectid: video.objectid ?? video.videoid,
    image:
      image === null
        ? null
        : {
            image: imageRefOf(image.image),
            srcid: image.srcid,
            width: image.width,
            height: image.height,
            ratio: image.ratio,
            markup: image.markup,
            ...(image.markupState === undefined ? {} : { markupState: image.markupState }),
            ...(image.encoding === undefined ? {} : { encoding: image.encoding }),
          },
    encodings: video.encodings.map((encoding) => {
      const { ffmpeg_args, max_video_bitrate, ...known } = encoding;
      return {
        ...known,
        url: relative(encoding.url),
        ...(ffmpeg_args === undefined ? {} : { ffmpeg_args }),
        ...(max_video_bitrate === undefined ? {} : { max_video_bitrate }),
      };
    }),
  };
}

/** Never keeps HTML of another site: creates a new frame for a known player, and returns null for anything else. */
function embedFactsOf(embed: EmbedAnswer): EmbedFacts | null {
  const source = /<iframe[^>]*\ssrc="([^"]+)"/i.exec(embed.html)?.[1];
  if (source === undefined || !players.test(source)) return null;
  const html = `<iframe width="${embed.width}" height="${embed.height}" src="${source}" allowfullscreen></iframe>`;
  return { ...embed, html };
}
