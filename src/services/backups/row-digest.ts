const MODULUS = 2n ** 256n;

/**
 * A digest of rows that does not depend on their order, since two databases give the same rows in different ones: the sum of
 * the rows' SHA-256, modulo 2^256.
 */
export function createRowDigest() {
  let sum = 0n;
  let rows = 0;
  return {
    /** @param sha256 of a row */
    add(sha256: Buffer): void {
      sum = (sum + BigInt(`0x${sha256.toString('hex')}`)) % MODULUS;
      rows += 1;
    },
    result: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}

export type RowDigest = ReturnType<typeof createRowDigest>;
