/** Which requests are debiased where only a share is to be: the same ones each time, told by their bytes. */

/** @param share from 0 to 1; a request that is chosen for a share is chosen for every larger one, too */
export async function isSampled(body: Uint8Array, share: number, seed: string): Promise<boolean> {
  if (share >= 1) return true;
  const salt = new TextEncoder().encode(`${seed}\n`);
  const bytes = new Uint8Array(salt.length + body.length);
  bytes.set(salt);
  bytes.set(body, salt.length);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return new DataView(digest).getUint32(0) / 2 ** 32 < share;
}
