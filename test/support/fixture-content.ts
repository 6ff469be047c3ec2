import { bullet } from '#shared/model/guide.ts';
import { emptyContent, type GuideContent } from '#shared/rules/guide-content.ts';

import grinder from '#server/demo-content/own/guides/9001.json' with { type: 'json' };
import lockout from '#server/demo-content/own/guides/9002.json' with { type: 'json' };
import markup from '#server/demo-content/own/pictures/markup.json' with { type: 'json' };

const pictureSize = { width: 1600, height: 1200 };
const markups = new Map(Object.entries(markup));

type Recorded = typeof grinder | typeof lockout;

function imageOf({ id, guid }: { id: number; guid: string }) {
  const drawn = markups.get(guid);
  return { id, guid, ...pictureSize, ...(drawn !== undefined && { markup: drawn }) };
}

function contentOf(guide: Recorded): GuideContent {
  const { title, summary, subject, category, type, difficulty, introduction_raw, conclusion_raw } = guide;
  const supply = (item: Recorded['tools'][number] | Recorded['parts'][number]) => ({
    text: item.text,
    notes: item.notes,
    type: item.type,
    quantity: item.quantity,
    url: item.url,
    thumbnail: null,
  });
  return {
    ...emptyContent(),
    title,
    summary,
    subject,
    category,
    type,
    difficulty,
    introduction_raw,
    conclusion_raw,
    time_required_min: guide.time_required_min,
    time_required_max: guide.time_required_max,
    image: imageOf(guide.image),
    tools: guide.tools.map(supply),
    parts: guide.parts.map(supply),
    prerequisites: guide.guideid === grinder.guideid ? [lockout.guideid] : [],
    steps: guide.steps.map((step) => ({
      key: String(step.stepid),
      title: step.title,
      lines: step.lines.map((line) => ({
        id: String(line.lineid),
        bullet: bullet.parse(line.bullet),
        level: line.level,
        text_raw: line.text_raw,
      })),
      media: { type: 'image', data: step.media.data.map(imageOf) },
      time_estimate: 0,
    })),
  };
}

/** The editable content of a demo guide; other guides of the library are empty. */
export function demoContent(guideid: string): GuideContent {
  const guide = [grinder, lockout].find((other) => String(other.guideid) === guideid);
  return guide === undefined ? emptyContent() : contentOf(guide);
}
