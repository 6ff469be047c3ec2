import type { EntryFacts } from '#shared/model/work-log.ts';

/** Collections whose records contain guids of files. */
const withFiles = new Set(['guides', 'wikis', 'people', 'deviations', 'workVersions', 'releaseTexts']);

/** The files of a record: `guid`, or `Document:12` for the value of a form field. */
export interface FileNames {
  /** Files that the server put into the record, after it checked that the writer may use them. */
  shown: Set<string>;
  /** Files that are linked in wiki text, which anybody can write. */
  linked: Set<string>;
}

/** Whether records of a collection can show files. */
export function showsFiles(collection: string): boolean {
  return collection === 'workLog' || withFiles.has(collection);
}

/**
 * The files of a record. `body`: its facts as JSON; quotes in texts are escaped there, so no text can look like a guid
 * property.
 */
export function filesIn(collection: string, body: string): FileNames {
  if (collection === 'workLog')
    return { shown: filesOfEntry(JSON.parse(body) as EntryFacts), linked: new Set() };
  if (!withFiles.has(collection)) return { shown: new Set(), linked: new Set() };
  const found = (pattern: RegExp): string[] => [...body.matchAll(pattern)].map((match) => match[1] ?? '');
  const shown = new Set(found(/"(?:guid":"|url":"\/igo\/)([^"\\]+)"/g));
  const linked = without(found(/\/(?:Document|igo)\/([\w-]+)/g), shown);
  return { shown, linked };
}

/** `files` without `others`. */
export function without(files: Iterable<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...files].filter((file) => !others.has(file)));
}

/** The files in the form values of a work order. */
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
