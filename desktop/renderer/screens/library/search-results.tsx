import { BookOpen } from 'lucide-react';
import { Fragment } from 'react';

import type { GuideSummaryCard } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { WholeLink, wholeLinkPlace } from '#desktop/renderer/ui/whole-link.tsx';

import { stepThroughResults, useFirstResult } from '../shell/first-result.ts';
import { useCategoryName } from './category-name.ts';
import { guideHref } from './guide-address.ts';
import { GuideFacts, GuideMarks } from './guide-facts.tsx';
import styles from './search-results.module.css';
import { useGrowingList } from './use-growing-list.ts';

interface SearchResultsProps {
  guides: readonly GuideSummaryCard[];
  words: string;
}

/** Search results, best first, with highlighted excerpts. */
export function SearchResults({ guides, words }: SearchResultsProps) {
  const list = useFirstResult(words);
  const nameOf = useCategoryName();
  const { shown, end } = useGrowingList(guides);
  return (
    <>
      <ol className={classNames(styles, 'results')} ref={list} onKeyDown={stepThroughResults}>
        {shown.map((guide) => (
          <li key={guide.guideid} className={`${classNames(styles, 'result')} ${wholeLinkPlace}`}>
            <div className={classNames(styles, 'picture')}>
              {guide.imageGuid === null ? (
                <BookOpen aria-hidden="true" />
              ) : (
                <Picture guid={guide.imageGuid} size="thumbnail" alt="" fit="cover" />
              )}
            </div>
            <div className={classNames(styles, 'words')}>
              <h2 className={classNames(styles, 'title')}>
                <WholeLink href={guideHref(guide.guideid)}>
                  {guide.title === '' ? text.library.unnamed : guide.title}
                </WholeLink>
                <span className={classNames(styles, 'category')}>{nameOf(guide.category)}</span>
              </h2>
              {guide.snippet && (
                <p className={classNames(styles, 'snippet')}>
                  <Marked {...guide.snippet} />
                </p>
              )}
              <GuideFacts guide={guide} />
              <GuideMarks guide={guide} />
            </div>
          </li>
        ))}
      </ol>
      <div ref={end} />
    </>
  );
}

function Marked({ text: words, marks }: { text: string; marks: [number, number][] }) {
  const parts = marks.flatMap(([start, end], index) => [
    { from: index === 0 ? 0 : (marks[index - 1]?.[1] ?? 0), to: start, found: false },
    { from: start, to: end, found: true },
  ]);
  const rest = words.slice(marks.at(-1)?.[1] ?? 0);
  return (
    <>
      {parts.map(({ from, to, found }) => (
        <Fragment key={`${from}-${found}`}>
          {found ? <mark>{words.slice(from, to)}</mark> : words.slice(from, to)}
        </Fragment>
      ))}
      {rest}
    </>
  );
}
