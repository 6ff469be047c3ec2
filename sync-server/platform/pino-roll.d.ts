declare module 'pino-roll' {
  import type { DestinationStream } from 'pino';

  interface Options {
    file: string;
    size: string;
    frequency: 'daily';
    dateFormat: string;
    mkdir: boolean;
    symlink: boolean;
    limit: { count: number; removeOtherLogFiles: boolean };
    mode: number;
    sync: boolean;
  }

  interface RollingStream extends DestinationStream {
    on(event: 'error', listener: (error: Error) => void): void;
  }

  /** Opens a log file that is replaced by the next one when it is full or its day is over. */
  export default function openRolling(options: Options): Promise<RollingStream>;
}
