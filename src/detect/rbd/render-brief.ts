/** From a brief to the prompt a detector model is sent. Everything that comes from outside is neutralised on the way. */
import {
  listUnknownPlaceholders,
  RBD_PLACEHOLDERS,
  RBD_TEMPLATE,
  renderRbd,
} from '../../../prompts/index.ts';
import type { Bias } from '../../bias/index.ts';
import { InputError } from '../../errors.ts';
import type { Brief } from '../types.ts';
import { layOut } from './lay-out-brief.ts';
import { disarmTokens, neutralise } from './neutralise.ts';

/** The judge's name comes from the client's request; a name longer than this is no name. */
const NAME_LENGTH = 120;

/**
 * Checks a template once, when a detector is set up.
 *
 * @throws InputError naming what is unknown in it, or missing from it
 */
export function checkTemplate(template: string): string {
  const [unknown] = listUnknownPlaceholders(template);
  if (unknown !== undefined)
    throw new InputError(
      'template',
      `has the placeholder {{${unknown}}}, which is not one of ${RBD_PLACEHOLDERS.join(', ')}`,
    );
  for (const needed of ['choices', 'judgment'] as const) {
    if (!new RegExp(`\\{\\{\\s{0,9}${needed}\\s{0,9}\\}\\}`).test(template))
      throw new InputError('template', `lacks {{${needed}}}, without which there is nothing to examine`);
  }
  return template;
}

/** @param evidence what tests on this verdict showed, in words; empty for none */
export function renderBrief(
  brief: Pick<Brief, 'subject' | 'judge' | 'verdict' | 'swapped' | 'clean' | 'biases'>,
  options: { readonly template?: string; readonly biases?: readonly Bias[]; readonly evidence?: string } = {},
): string {
  const biases = options.biases ?? brief.biases;
  const { choices, judgment } = layOut({ ...brief, biases });
  return renderRbd(
    {
      instruction: neutralise(brief.subject.instruction?.text ?? '(not given)'),
      choices,
      judgment,
      judge: disarmTokens(brief.judge.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH)) || 'unknown',
      biases,
      evidence: disarmTokens(options.evidence ?? ''),
    },
    options.template ?? RBD_TEMPLATE,
  );
}
