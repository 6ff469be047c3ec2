export { germanBullets as bullets } from '#shared/formats/print/german-words.ts';
