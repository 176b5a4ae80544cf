/** `--biases`: those of the catalogue that are put into cases. Apart, since `--help` loads no catalogue. */
import { type Bias, findBias } from '../bias/index.ts';
import { InputError } from '../errors.ts';
import { INJECTED } from '../evaluate/index.ts';

/** @throws InputError naming the word that is none of them */
export function readInjected(words: readonly string[]): Bias[] {
  return words.map((word) => {
    const bias = findBias(word);
    if (!bias || !INJECTED.includes(bias))
      throw new InputError(
        '--biases',
        `"${word}" is none of those that can be put into a case: ${INJECTED.map(({ name }) => name).join(', ')}`,
      );
    return bias;
  });
}
