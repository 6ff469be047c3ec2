import type { DocumentRef, SupplyFacts } from '#shared/model/guide.ts';

import { archivedUrl } from './archive.ts';
import { attributeText, fieldText } from './field-text.ts';
import type { DocumentMedia } from './read-media.ts';
import type { DocumentReport } from './findings.ts';
import { elementIn, elementsIn, type XmlElement } from './xml-tree.ts';

interface SupplySurroundings {
  report: DocumentReport;
  media: DocumentMedia;
}

/** Reads the tools or parts of a guide. */
export function readSupplies(
  root: XmlElement,
  listName: string,
  name: string,
  { report, media }: SupplySurroundings,
): SupplyFacts[] {
  const list = elementIn(root, listName);
  const elements = list === undefined ? [] : elementsIn(list, name);
  if (list !== undefined && elements.length === 0) fieldText(list, report);
  return elements.flatMap((element) => {
    const text = attributeText(element, 'name') || fieldText(element, report);
    if (text === '') {
      report.add('dropped', 'supply', element, `A ${name} without a name was left out.`);
      return [];
    }
    const sources = readSources(element, report);
    return [
      {
        text,
        notes: readNotes(element, report),
        type: attributeText(element, 'type'),
        quantity: readQuantity(element, report),
        url: webAddress(attributeText(element, 'url'), element, report) || (sources[0] ?? ''),
        thumbnail: media.thumbnail(attributeText(element, 'thumbnail'), element),
      },
    ];
  });
}

function readNotes(element: XmlElement, report: DocumentReport): string | null {
  const notes = element.attributes.get('notes')?.trim() ?? null;
  const sku = attributeText(element, 'sku');
  if (sku === '') return notes;
  report.add('repaired', 'sku', element, `The order number ${sku.slice(0, 60)} was put into the notes.`);
  return notes === null || notes === '' ? `SKU ${sku}` : `${notes} (SKU ${sku})`;
}

/** Reads the addresses of suppliers. All but the one that becomes the address of the supply are reported. */
function readSources(element: XmlElement, report: DocumentReport): string[] {
  const list = elementIn(element, 'external_sources');
  const sources = list === undefined ? [] : elementsIn(list, 'external_source');
  const hasUrl = attributeText(element, 'url') !== '';
  for (const [index, source] of sources.entries()) {
    if (hasUrl || index > 0)
      report.add('dropped', 'external-source', source, 'A further source of a tool or part was left out.');
  }
  return sources.map((source) => webAddress(attributeText(source, 'url'), source, report)).filter(Boolean);
}

function readQuantity(element: XmlElement, report: DocumentReport): number {
  const text = attributeText(element, 'quantity');
  const number = Number(/\d{1,6}/.exec(text)?.[0] ?? 1);
  if (text !== '' && text !== String(number))
    report.add('guessed', 'quantity', element, `The quantity ${text.slice(0, 40)} was read as ${number}.`);
  return Math.max(1, number);
}

/** A web address or a path of the site; '' for anything else, which is reported. */
function webAddress(written: string, element: XmlElement, report: DocumentReport): string {
  if (written === '' || /^(?:https?:\/\/[^\s/]|\/(?!\/))\S*$/i.test(written)) return written;
  report.add('dropped', 'address', element, `The address ${written.slice(0, 100)} was left out.`);
  return '';
}

/**
 * Reads the documents of a guide or category. The text of an element is the name and `url` the path, or the text is
 * both.
 */
export function readDocuments(root: XmlElement, { report, media }: SupplySurroundings): DocumentRef[] {
  const list = elementIn(root, 'documents');
  const elements = list === undefined ? [] : elementsIn(list, 'document');
  if (list !== undefined && elements.length === 0) fieldText(list, report);
  return elements.flatMap((element) => {
    const text = fieldText(element, report);
    const path = attributeText(element, 'url') || text;
    const found = path === '' ? null : media.file(path, 'document', element);
    if (found === null) return [];
    const name = text.slice(text.lastIndexOf('/') + 1) || found.filename;
    const extension = /\.([a-z0-9]{1,5})$/i.exec(found.filename || name)?.[1]?.toLowerCase() ?? '';
    const url = found.url ?? archivedUrl(found.guid);
    const icon = `/static/icons/${/^[a-z0-9]{1,4}$/.test(extension) ? extension : 'file'}.svg`;
    return [{ documentid: found.id, guid: found.guid, text: name, extension, icon, url, download_url: url }];
  });
}
