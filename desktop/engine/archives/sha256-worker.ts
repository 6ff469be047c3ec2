import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const sum = sha256.create();

// A piece is answered once it is in the sum; anything else ends it and is answered with the sum.
addEventListener('message', ({ data }) => {
  if (data instanceof Uint8Array) {
    sum.update(data);
    postMessage(null);
  } else postMessage(bytesToHex(sum.digest()));
});
