/** Packages that one or two commands need and that are not installed with Remand, which a proxy would carry for nothing. */
import { InputError } from '../errors.ts';

/**
 * @param load imports the package
 * @throws InputError that says how to install a package that is missing
 *
 * @example const { countTokens } = await loadOptional('gpt-tokenizer', () => import('gpt-tokenizer/encoding/o200k_base'));
 */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing || !cause.message.includes(`'${name}`)) throw cause;
    throw new InputError(
      name,
      `is a package that this command needs: npm install ${name} (or npx -p remand -p ${name} remand …)`,
    );
  }
}
