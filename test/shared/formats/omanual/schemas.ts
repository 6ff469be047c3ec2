import { readFileSync } from 'node:fs';

import { validateXML } from 'xmllint-wasm';

const folder = new URL('../../../fixtures/omanual/schema-1.0/', import.meta.url);

function schemaFile(fileName: string): { fileName: string; contents: string } {
  return { fileName, contents: readFileSync(new URL(fileName, folder), 'utf8') };
}

const html = schemaFile('omanual_simplifiedhtml.xsd');
const schemas = { guide: schemaFile('omanual_guide.xsd'), category: schemaFile('omanual_category.xsd') };

/** Complaints of libxml2 about the documents, by the schemas of version 1.0; empty: all are valid. */
export async function schemaErrors(documents: readonly { name: string; xml: string }[]): Promise<string[]> {
  const errors = await Promise.all(
    (['guide', 'category'] as const).map(async (kind) => {
      const xml = documents
        .filter((document) => document.xml.includes(`<${kind} xmlns=`) && rootOf(document.xml) === kind)
        .map(({ name, xml: contents }) => ({ fileName: name.replaceAll(/[^\w.]/g, '_'), contents }));
      if (xml.length === 0) return [];
      const result = await validateXML({ xml, schema: schemas[kind], preload: [html], maxMemoryPages: 4096 });
      return result.errors.map(({ rawMessage }) => rawMessage);
    }),
  );
  return errors.flat();
}

function rootOf(xml: string): string | undefined {
  return /^<\?xml[^>]*\?>\s*<(\w+)/.exec(xml)?.[1];
}

/** The indexes of the (well-formed) documents that libxml2 finds invalid, by their root element. */
export async function invalidDocuments(documents: readonly string[]): Promise<Set<number>> {
  const invalid = new Set<number>();
  for (const kind of ['guide', 'category'] as const) {
    const xml = documents.flatMap((contents, index) =>
      firstElement(contents) === kind ? [{ fileName: `document-${index}.xml`, contents }] : [],
    );
    const result = await validateXML({ xml, schema: schemas[kind], preload: [html], maxMemoryPages: 4096 });
    for (const { rawMessage } of result.errors) {
      const index = /document-(\d+)\.xml/.exec(rawMessage)?.[1];
      if (index !== undefined) invalid.add(Number(index));
    }
  }
  return invalid;
}

function firstElement(xml: string): string | undefined {
  return /<([a-z]\w*)/.exec(xml)?.[1];
}
