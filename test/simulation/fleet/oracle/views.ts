import { maySee } from '../rights.ts';
import { docs, type CommentDoc, type GuideDoc, type PageDoc, type Scene, type Violation } from './scene.ts';

/** Refusals made by a device itself: lost records, and calls that would overwrite a newer text. */
const ownRefusals = new Set([0, 404, 409]);

/** FLEET-4: no call counts as refused that the server did not refuse, or would accept from an up-to-date app. */
export function unfounded({ seen, refused }: Scene): Violation[] {
  return seen.flatMap(({ refusals }, index) =>
    refusals.flatMap(([key, status]): Violation[] => {
      const isTold = ownRefusals.has(status) || refused[index]?.has(`${key} ${status}`) === true;
      return isTold && status !== 426
        ? []
        : [{ rule: 'FLEET-4', what: `device ${index} says that ${key} was refused with ${status}` }];
    }),
  );
}

/** FLEET-4: every device is at rest and shows what its person may see. */
export function views({ stored, seen }: Scene): Violation[] {
  const found: Violation[] = [];
  const guides = docs<GuideDoc>(stored, 'guides');
  const comments = docs<CommentDoc>(stored, 'comments');
  const pages = docs<PageDoc>(stored, 'wikis').filter(({ namespace }) => namespace === 'INFO');
  for (const [index, one] of seen.entries()) {
    const { person } = one;
    if (person === null || one.status !== 'signed-in') continue;
    const say = (what: string): void =>
      void found.push({ rule: 'FLEET-4', what: `device ${index} of ${person} ${what}` });
    if (
      one.pending > one.blocked ||
      one.phase !== 'idle' ||
      one.connection !== 'online' ||
      one.trouble !== null
    )
      say(
        `is not at rest: ${one.pending} pending, ${one.phase}, ${one.connection}, ${one.trouble ?? ''} ${one.kept.slice(0, 2).join(' ').slice(0, 600)}`,
      );
    const userid = stored.users.find(({ username }) => username === person)?.userid;
    const visible = guides.filter((guide) => maySee(stored, person, guide));
    const ids = new Set(visible.map(({ docid }) => docid));
    for (const id of Object.keys(one.guides))
      if (!ids.has(id) && one.guides[id]?.isPending === false) say(`shows guide ${id}, which it may not`);
    for (const guide of visible) {
      const shown = one.guides[guide.docid];
      if (shown === undefined) {
        if (!one.kept.some((text) => text.includes(`/guides/${guide.docid}`)))
          say(`does not show guide ${guide.docid}`);
        continue;
      }
      if (shown.isPending) continue;
      const text = JSON.stringify([
        guide.title,
        guide.summary,
        plainText(guide.introduction_raw),
        plainText(guide.conclusion_raw),
        guide.steps.map(({ title, lines }) => [title, ...lines.map(({ text_raw }) => text_raw)]),
      ]);
      if (shown.text !== text)
        say(`shows of guide ${guide.docid}\n  ${shown.text}\n  and the server has\n  ${text}`);
      const waits = one.kept.length > 0;
      const texts = comments
        .filter(({ guideid }) => guideid === guide.guideid)
        .map(({ text_raw }) => text_raw)
        .toSorted();
      if (!waits && JSON.stringify(texts) !== JSON.stringify(shown.comments))
        say(
          `shows comments ${shown.comments.join(', ')} of guide ${guide.docid} and the server has ${texts.join(', ')}`,
        );
      const tags = stored.guideTags
        .filter(({ guideid }) => guideid === guide.guideid)
        .map(({ name }) => name)
        .toSorted();
      if (!waits && JSON.stringify(tags) !== JSON.stringify(shown.tags))
        say(
          `shows tags ${shown.tags.join(', ')} of guide ${guide.docid} and the server has ${tags.join(', ')}`,
        );
      const isFavorite = stored.favorites.some(
        (row) => row.userid === userid && row.guideid === guide.guideid,
      );
      if (!waits && isFavorite !== shown.favorite)
        say(`shows favourite ${shown.favorite} of guide ${guide.docid}`);
      const isCompleted = stored.completions.some(
        (row) => row.userid === userid && row.guideid === guide.guideid,
      );
      if (!waits && isCompleted !== shown.completed)
        say(`shows completed ${shown.completed} of guide ${guide.docid}`);
    }
    for (const page of pages) {
      const shown = one.pages[page.title];
      if (one.kept.some((text) => text.includes('"page"'))) continue;
      if (shown !== page.contents_raw)
        say(`shows page ${page.title} as ${shown} and the server has ${page.contents_raw}`);
    }
  }
  return found;
}

function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
