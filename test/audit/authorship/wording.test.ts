/** What the embedded embedding can tell, and what it says of texts that cannot be scored. */
import { describe, expect, it, test } from 'vitest';
import { computeCosine, embedWording, WORDING_LENGTH } from '../../../src/audit/authorship/anchors.ts';
import { explainUnusableText } from '../../../src/audit/authorship/score-all.ts';

const ANCHOR =
  'The paper presents a novel approach to calibrating language models and demonstrates its effectiveness across ' +
  'several benchmarks. The experiments are comprehensive, although the discussion of limitations could be expanded.';
const ALIKE =
  'The paper presents a novel approach to calibrating large language models and demonstrates effectiveness across ' +
  'benchmarks. The experiments are comprehensive. The discussion of its limitations could be further expanded.';
const OWN_WORDS =
  'I am not convinced. Table 2 compares against a baseline nobody tunes, and the one number that matters (ECE on ' +
  'held-out domains) is missing. Section 4 reads as if written in a hurry; what is lambda in eq. 7?';
const near = (one: string, other: string) =>
  computeCosine(embedWording(one), embedWording(other)) ?? Number.NaN;

describe('the wording of a text', () => {
  test('has one direction: the same bytes give the same vector, whatever the letter case and the spacing', () => {
    expect(embedWording(ANCHOR)).toHaveLength(WORDING_LENGTH);
    expect(near(ANCHOR, ANCHOR)).toBeCloseTo(1, 6);
    expect(near(ANCHOR, `  ${ANCHOR.toUpperCase().replaceAll(' ', '\n ')}`)).toBeCloseTo(1, 6);
  });

  test('is nearer to the same phrases than to the same subject in a voice of its own', () => {
    expect(near(ANCHOR, ALIKE)).toBeGreaterThan(0.6);
    expect(near(ANCHOR, OWN_WORDS)).toBeLessThan(0.35);
  });

  test('sees words, not meaning: a paraphrase is far away, which is said where it is described', () => {
    const paraphrase =
      'This submission introduces an original way of making LLM confidences trustworthy; it works on many tasks. ' +
      'Evaluation is thorough, but more should be said about where it fails.';
    expect(near(ANCHOR, paraphrase)).toBeLessThan(0.4);
  });

  test('hashing blurs a cosine by less than a hundredth or so: texts without a common word are unlike', () => {
    const other =
      'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, denn es dämmert schon früh.';
    expect(Math.abs(near(ANCHOR, other))).toBeLessThan(0.05);
  });

  test('of nothing is like nothing', () => {
    expect(computeCosine(embedWording(''), embedWording(ANCHOR))).toBeNull();
    expect(() => computeCosine([1, 0], [1, 0, 0])).toThrow('2 and 3 numbers');
  });
});

describe('a review that cannot be scored', () => {
  const GERMAN =
    'Die Arbeit stellt eine neue Methode vor und zeigt, dass sie auf mehreren Datensätzen besser ist. Leider fehlt ' +
    'ein Vergleich mit den stärksten Verfahren, und der Text ist an vielen Stellen kaum zu verstehen.';
  const CHINESE =
    '本文提出了一种新的方法，并在多个数据集上进行了实验。实验结果表明该方法优于现有的方法。然而，作者没有与最新的工作进行比较，' +
    '并且论文的写作需要进一步改进。总体而言，我认为这篇论文还没有达到发表的标准。';
  const FRENCH =
    'Cet article propose une nouvelle méthode et montre des résultats intéressants sur plusieurs jeux de données. ' +
    'La comparaison avec les travaux récents manque cependant, et la rédaction doit être améliorée.';

  it.each([
    ['', 'the review is empty'],
    [' \n--\n', 'the review is empty'],
    ['Good paper. Accept.', 'the review has fewer than 20 words'],
    [GERMAN, 'the review is not in English'],
    [CHINESE, 'the review is not in English'],
    [FRENCH, 'the review is not in English'],
    [ANCHOR, null],
    [OWN_WORDS, null],
  ])('%s', (text, reason) => expect(explainUnusableText(text, 'en')).toBe(reason));

  it('is scored in any language where that is asked for', () => {
    for (const text of [GERMAN, CHINESE, FRENCH]) expect(explainUnusableText(text, 'any')).toBeNull();
  });
});
