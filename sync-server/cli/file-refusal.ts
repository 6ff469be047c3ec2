import { BadSetting } from '#server/platform/config.ts';

/** What the system says about a file, in words; other codes are told as they are. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it is there already',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'you may not do that',
  EPERM: 'you may not do that',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'files of that disk cannot be so large',
  ENAMETOOLONG: 'its name is too long',
};

/** Makes a plain refusal of what the system threw; throws everything else as it is. For `catch` of a promise. */
export function refusedFile(path: string, what: 'read' | 'written' | 'copied'): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error;
    const code = String(error.code);
    throw new BadSetting(`${path} cannot be ${what}: ${words[code] ?? code}.`, { cause: error });
  };
}
