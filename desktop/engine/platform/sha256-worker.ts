import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const sum = sha256.create();

// A piece is given back once it is in the sum; anything else ends it and is answered with the sum.
addEventListener('message', ({ data }) => {
  if (data instanceof Uint8Array) {
    sum.update(data);
    postMessage(data, { transfer: [data.buffer] });
  } else postMessage(bytesToHex(sum.digest()));
});
