import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const sum = sha256.create();

// A piece is returned once it is hashed. Any other message ends the hash and is answered with it.
addEventListener('message', ({ data }) => {
  if (data instanceof Uint8Array) {
    sum.update(data);
    postMessage(data, { transfer: [data.buffer] });
  } else postMessage(bytesToHex(sum.digest()));
});
