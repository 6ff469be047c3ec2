import { useState } from 'react';
import { Link } from 'react-aria-components';

import type { PageVersion, WikiPage } from '#desktop/engine/views/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useAct } from '#desktop/renderer/use-act.ts';

import { DocumentItem } from '../player/document-item.tsx';
import { pageAddress } from './page-address.ts';
import { Facts, Panel } from './panel.tsx';
import styles from './pages.module.css';
import { Tags } from './tags.tsx';

/** What is known of a page beside its text. */
export function PageSide({ page }: { page: WikiPage }) {
  const actions = useActions();
  const { info, suppliers, repairability, documents, children, translations } = page;
  const item = classNames(styles, 'item');
  return (
    <div className={classNames(styles, 'side')}>
      <Facts
        facts={[
          ...info.map(({ name, value }) => [name, value] as const),
          [text.pages.repairability, repairability === null ? '' : text.pages.score(repairability)],
        ]}
      />
      <Tags
        key={page.wikiid}
        tags={page.tags}
        canTag={page.canTag}
        onTag={(tag, on) => actions.tagPage(page.wikiid, tag, on)}
      />
      {children.length > 0 && (
        <Panel title={text.pages.below}>
          <ul>
            {children.map(({ wikiid, displayTitle }) => (
              <li key={wikiid}>
                <Link className={item} href={pageAddress(wikiid)}>
                  {displayTitle}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {translations.length > 0 && (
        <Panel title={text.pages.languages}>
          <ul>
            {translations.map(({ wikiid, langid }) => (
              <li key={wikiid}>
                <Link className={item} href={pageAddress(wikiid)}>
                  {langid}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {suppliers.length > 0 && (
        <Panel title={text.pages.suppliers}>
          <ul>
            {suppliers.map(({ supplier, 'part_#': part, url }) => (
              <li key={`${supplier} ${part}`} className={item}>
                {url === '' ? (
                  supplier
                ) : (
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {supplier}
                  </a>
                )}
                {part !== '' && <span className={classNames(styles, 'note')}>{part}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {documents.length > 0 && (
        <Panel title={text.pages.documents}>
          <ul>
            {documents.map((document) => (
              <DocumentItem key={document.guid} document={document} />
            ))}
          </ul>
        </Panel>
      )}
      <History key={`${page.wikiid} ${page.revisionid}`} page={page} />
    </div>
  );
}

/** Who wrote the page. Earlier versions are on the server and asked for when somebody wants to know. */
function History({ page }: { page: WikiPage }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [versions, setVersions] = useState<PageVersion[] | null>(null);
  if (page.createdAt === null) return null;
  return (
    <Panel title={text.pages.history}>
      <Facts
        facts={[
          [text.pages.edited, text.pages.version(page.author, formatDate(page.modifiedAt))],
          [text.pages.created, formatDate(page.createdAt)],
        ]}
      />
      {versions === null ? (
        <Button
          isPending={busy}
          onPress={() => act(async () => setVersions(await actions.pageVersions(page.wikiid)))}
        >
          {text.pages.showHistory}
        </Button>
      ) : (
        <ul>
          {versions.map(({ revisionid, author, at }) => (
            <li key={revisionid} className={classNames(styles, 'item')}>
              {text.pages.version(author, formatDate(at))}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
