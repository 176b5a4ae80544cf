/**
 * Reading a verdict from a judge's reply, and writing one in the form the request asked for. Reading never
 * guesses: a reply that cannot be read is no verdict, with the reason. The rules live in `verdicts/`, one
 * file for each kind; how they fare on recorded replies of real judges is in docs/verdict-reader.md.
 */
import { type Checkpoint, unlimited } from './checkpoint.ts';
import type { Verdict, VerdictForm } from './types.ts';
import { readTwoOrders } from './verdicts/choice.ts';
import { formKindOf, sameVerdict } from './verdicts/index.ts';
import type { Labelled } from './verdicts/kind.ts';
import { jsonIn } from './verdicts/reading/json.ts';
import { ownWords, visibleIn } from './verdicts/reading/own-words.ts';

/**
 * The verdict of one reply.
 * @param text the judge's own words, thinking included; nothing of the request.
 * @param options the options in the order the judge saw them; `option` of a choice is an index into them.
 * @param checkpoint called between the steps of the reading; what it throws ends the reading
 *
 * @example
 * readVerdict('Output (b)', subject.form, subject.options)
 * // { kind: 'choice', option: 1, text: 'Output (b)' }
 */
export function readVerdict(
  text: string,
  form: VerdictForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): Verdict {
  const words = ownWords(text);
  checkpoint();
  if ('none' in words) return { text, kind: 'none', reason: words.none };
  const json = jsonIn(words.raw, checkpoint);
  checkpoint();
  const decision = formKindOf(form).read({ text: visibleIn(text), ...words, json }, form, {
    options,
    checkpoint,
  });
  checkpoint();
  return { text, ...decision };
}

/**
 * A verdict in exactly the form the request asked for; null where the request does not say how, has no way to say it,
 * or asks for a form in which it would be read as another.
 *
 * @example writeVerdict({ kind: 'choice', option: 1, text: '' }, subject.form, subject.options) // 'Output (b)'
 */
export function writeVerdict(verdict: Verdict, form: VerdictForm, options: Labelled): string | null {
  const text = formKindOf(form).write(verdict, form, options);
  return text !== null && sameVerdict(readVerdict(text, form, options), verdict) ? text : null;
}

/**
 * The two verdicts of a reply that judges a pair in both orders; null where it is not such a reply.
 * `swapped` speaks of the options as they stood in the swapped order.
 *
 * @example readVerdictPair(reply, subject.form, subject.options)?.swapped
 */
export function readVerdictPair(
  text: string,
  form: VerdictForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): { readonly original: Verdict; readonly swapped: Verdict } | null {
  const orders = readTwoOrders(text);
  return (
    orders && {
      original: readVerdict(orders.original, form, options, checkpoint),
      swapped: readVerdict(orders.swapped, form, options, checkpoint),
    }
  );
}
