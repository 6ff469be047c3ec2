import { build, type InlineConfig } from 'vite';

/**
 * Builds a page as people get it. A test runner sets NODE_ENV to `test`, with which React checks more and React Aria
 * draws every row of a long list.
 */
export async function buildForPeople(config: InlineConfig): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build(config);
  } finally {
    process.env['NODE_ENV'] = before;
  }
}
