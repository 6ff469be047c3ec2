/** A fault planted into the source as it is loaded or built, to show that the demo notices it. */
export interface Plant {
  name: string;
  /** What breaks. */
  breaks: string;
  where: 'server' | 'app';
  /** File relative to the project, and the text to be replaced; it must occur exactly once. */
  edits: { file: string; find: string; replace: string }[];
}

/** The source with the plant's edits for `file`; throws when a text is not there exactly once. */
export function planted(plant: Plant, file: string, source: string): string {
  let result = source;
  for (const edit of plant.edits.filter((one) => one.file === file)) {
    const parts = result.split(edit.find);
    if (parts.length !== 2)
      throw new Error(
        `The fault "${plant.name}" does not fit ${file}: its text occurs ${parts.length - 1} times`,
      );
    result = parts.join(edit.replace);
  }
  return result;
}
