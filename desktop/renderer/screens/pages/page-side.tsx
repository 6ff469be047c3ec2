import { Link } from 'react-aria-components';

import type { WikiPage } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Facts, Panel, PanelList, panelItem, panelNote } from '#desktop/renderer/ui/panel.tsx';

import { DocumentItem } from '../player/document-item.tsx';
import { pageAddress } from './page-address.ts';
import { PageHistory } from './page-history.tsx';
import { Tags } from './tags.tsx';

/** Further parts of a page, beside its text. */
export function PageSide({ page }: { page: WikiPage }) {
  const actions = useActions();
  const { info, suppliers, repairability, documents, children } = page;
  return (
    <>
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
          <PanelList>
            {children.map(({ wikiid, displayTitle }) => (
              <li key={wikiid}>
                <Link className={panelItem} href={pageAddress(wikiid)}>
                  {displayTitle}
                </Link>
              </li>
            ))}
          </PanelList>
        </Panel>
      )}
      <Languages page={page} />
      {suppliers.length > 0 && (
        <Panel title={text.pages.suppliers}>
          <PanelList>
            {suppliers.map(({ supplier, 'part_#': part, url }) => (
              <li key={`${supplier} ${part}`} className={panelItem}>
                {url === '' ? (
                  supplier
                ) : (
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {supplier === '' ? url : supplier}
                  </a>
                )}
                {part !== '' && <span className={panelNote}>{part}</span>}
              </li>
            ))}
          </PanelList>
        </Panel>
      )}
      {documents.length > 0 && (
        <Panel title={text.pages.documents}>
          <PanelList>
            {documents.map((document) => (
              <DocumentItem key={document.guid} document={document} />
            ))}
          </PanelList>
        </Panel>
      )}
      <PageHistory key={`${page.wikiid} ${page.revisionid}`} page={page} />
    </>
  );
}

/** The languages of the page, and those into which it can be translated. */
function Languages({ page: { wikiid: source, translations, translatable } }: { page: WikiPage }) {
  if (translations.length + translatable.length === 0) return null;
  return (
    <Panel title={text.pages.languages}>
      <PanelList>
        {translations.map(({ wikiid, langid }) => (
          <li key={wikiid}>
            <Link className={panelItem} href={pageAddress(wikiid)}>
              {text.pages.languageName(langid)}
            </Link>
          </li>
        ))}
        {translatable.map((langid) => (
          <li key={langid}>
            <Link
              className={panelItem}
              href={`${pageAddress(source)}/translate/${encodeURIComponent(langid)}`}
            >
              {text.pages.translateInto(text.pages.languageName(langid))}
            </Link>
          </li>
        ))}
      </PanelList>
    </Panel>
  );
}
