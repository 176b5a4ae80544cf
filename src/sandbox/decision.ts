/** From how much the judge likes each option to a verdict of the asked kind. */
import type { Case, Verdict } from '../case/types.ts';

/** Closer than this two options are equally liked. */
const TIE = 1e-9;

/** @param liked one number an option, as `computeLiking` gives them */
export function decideVerdict(subject: Case, liked: readonly number[]): Verdict {
  const { form } = subject;
  if (form.kind === 'score') return { text: '', kind: 'score', score: onScale(liked[0] ?? 0, form) };
  if (form.kind === 'pass') return { text: '', kind: 'pass', pass: (liked[0] ?? 0) >= 0 };
  if (form.kind === 'scores')
    return { text: '', kind: 'scores', scores: liked.map((one) => onScale(one, form)) };
  if (form.kind === 'category') return { text: '', kind: 'category', category: form.write.labels[0] ?? '' };
  if (form.kind === 'ranking' && liked.length > 2) return { text: '', kind: 'scores', scores: places(liked) };
  // It reads no claims, and so has nothing to say of any.
  if (form.kind === 'list') return { text: '', kind: 'list', items: [] };
  const most = Math.max(...liked);
  const best = liked.flatMap((one, option) => (most - one <= TIE ? [option] : []));
  if (best.length > 1 && form.kind === 'choice' && form.tie !== null) return { text: '', kind: 'tie' };
  return { text: '', kind: 'choice', option: best[0] ?? 0 };
}

/** For each option how many come after it; of equally liked ones the earlier is first. */
const places = (liked: readonly number[]) =>
  liked.map((one, i) => liked.filter((other, j) => other < one || (other === one && j > i)).length);

/** Liking 0 is the middle of the scale, 0.5 and more its top, -0.5 and less its bottom. */
function onScale(liked: number, { min, max }: { min: number | null; max: number | null }): number {
  const low = min ?? 1;
  const high = max ?? Math.max(10, low + 1);
  const score = low + (high - low) * Math.min(1, Math.max(0, 0.5 + liked));
  // A scale from 0 to 1 has values in between, one from 1 to 10 is said in whole numbers.
  return high - low > 1 ? Math.round(score) : Math.round(score * 100) / 100;
}
