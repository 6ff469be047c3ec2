/** Where the browser keeps how the next start begins (`rememberStart`). */
export const startKey = 'benchbook.start';
