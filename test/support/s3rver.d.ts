declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  interface Options {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    allowMismatchedSignatures?: boolean;
    configureBuckets: { name: string; configs: string[] }[];
  }

  /** An S3 server on a folder. Its key and secret are `S3RVER`. */
  export default class S3rver {
    constructor(options: Options);
    readonly httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
