/** `npm run bench:scale`: many streams on one node; with `--postgres`, several nodes. */
await import(process.argv.includes('--postgres') ? '../nodes/run.ts' : './run.ts');
