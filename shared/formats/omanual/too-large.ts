/** Thrown for an archive that our reader would refuse as too large. What has been written is useless. */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge';

  constructor(mostMembers: number) {
    super(
      `The archive would hold more than ${mostMembers} files; make several, such as one for each category`,
    );
  }
}
