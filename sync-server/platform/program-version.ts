import packageFile from '../../package.json' with { type: 'json' };

/** Version of this program, such as `1.2.0`. */
export const programVersion: string = packageFile.version;
