import type { EntryFacts } from '#shared/model/work-log.ts';

/** Collections whose records show files, by the guids that stand in them. */
const withFiles = new Set(['guides', 'wikis', 'people']);

/** The files that a record names: `guid`, or `Document:12` for the value of a form field. */
export interface FileNames {
  /** By what the server itself put into the record: it made sure that the writer may use the file. */
  shown: Set<string>;
  /** By a link in wiki text, which anybody can write. */
  linked: Set<string>;
}

/** Whether records of a collection can show files. */
export function showsFiles(collection: string): boolean {
  return collection === 'workLog' || withFiles.has(collection);
}

/** Which files a record shows; `body`: its facts as JSON, in which no text can pass for a guid of its own. */
export function filesIn(collection: string, body: string): FileNames {
  if (collection === 'workLog')
    return { shown: filesOfEntry(JSON.parse(body) as EntryFacts), linked: new Set() };
  if (!withFiles.has(collection)) return { shown: new Set(), linked: new Set() };
  const found = (pattern: RegExp): string[] => [...body.matchAll(pattern)].map((match) => match[1] ?? '');
  const shown = new Set(found(/"(?:guid":"|url":"\/igo\/)([^"\\]+)"/g));
  const linked = without(found(/\/(?:Document|igo)\/([\w-]+)/g), shown);
  return { shown, linked };
}

/** The files that are not among the others. */
export function without(files: Iterable<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...files].filter((file) => !others.has(file)));
}

/** The files that the values of an entry of the work log name. */
export function filesOfEntry({ events }: Pick<EntryFacts, 'events'>): Set<string> {
  const values = events.flatMap((event) => event.data ?? []);
  return new Set(
    values
      .filter(({ field_type: type, value }) => isFile(type) && value !== '')
      .map(({ field_type: type, value }) => `${type}:${value}`),
  );
}

function isFile(type: string): boolean {
  return type === 'Image' || type === 'Document' || type === 'Video';
}
