/**
 * The beginning of a text that is longer than `most`, with a sign that there was more. It ends with no half of a character:
 * a server that reads strict UTF-8 refuses a request that holds half an emoji.
 *
 * @param most UTF-16 code units, the sign's among them
 *
 * @example shorten('391 is the product.', 8) // '391 is …'
 */
export function shorten(text: string, most: number, sign = '…'): string {
  if (text.length <= most) return text;
  // With the flag `u` only half a pair is a surrogate.
  return text.slice(0, most - sign.length).replace(/\p{Surrogate}$/u, '') + sign;
}
