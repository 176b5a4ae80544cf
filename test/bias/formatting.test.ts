import { describe, expect, it } from 'vitest';
import { formatting } from '../../src/bias/formatting.ts';
import type { Draft } from '../../src/bias/index.ts';
import { renderPlain } from '../../src/bias/plain-text.ts';
import type { UndoTools } from '../../src/bias/types.ts';
import { caseOf } from '../two-options.ts';

const tools: UndoTools = { rewrite: null, signal: new AbortController().signal };
const MARKED = '## Beans\n\n- **Eight** beans are left.\n- Two were eaten.\n- None is lost.';

describe('spot', () => {
  it('the option that is set out, where no other is', () => {
    expect(formatting.spot(caseOf({ options: ['Eight beans are left.', MARKED] }))).toMatchObject([
      { bias: 'formatting', favours: 1 },
    ]);
  });

  it.each([
    ['both are set out', [MARKED, MARKED]],
    ['neither is', ['Eight.', 'Nine - or ten.']],
    ['one word is in bold type', ['**Eight** beans.', 'Nine beans.']],
    ['there is one answer', [MARKED]],
    ['it is code', ['a = b * c * d * e', 'x = y ** 2 ** 3']],
  ])('nothing where %s', (_what, options) => {
    expect(formatting.spot(caseOf({ options }))).toEqual([]);
  });
});

describe('undo', () => {
  it('takes the marking out of every option and leaves the words', async () => {
    const subject = caseOf({ options: [MARKED, 'Nine, **surely**.'] });
    const [cue] = formatting.spot(subject);
    const undone = cue && (await formatting.undo(subject, cue, tools));
    expect([...(undone?.options ?? [])]).toEqual([
      [0, 'Beans\n\nEight beans are left.\nTwo were eaten.\nNone is lost.'],
      [1, 'Nine, surely.'],
    ]);
  });

  it('leaves what is too long to be rendered', async () => {
    const subject = caseOf({ options: [`${MARKED}\n${'word '.repeat(8_000)}`, 'Nine.'] });
    const [cue] = formatting.spot(subject);
    expect(cue && (await formatting.undo(subject, cue, tools))).toBeNull();
  });
});

describe('plain text', () => {
  it.each([
    ['headings', '# One #\n\nTwo\n===\n### Three', 'One\n\nTwo\nThree'],
    ['bullets in bullets', '- a\n  - b\n* c', 'a\nb\nc'],
    ['numbers of a list', '3. three\n4. four', '3. three\n4. four'],
    ['a table', '| a | b |\n|---|:-:|\n| **1** | 2 |', 'a, b\n1, 2'],
    ['emoji', 'Done 🎉 and 👩‍🔬dusted.', 'Done and dusted.'],
    ['an emoji between words', 'one🎉two', 'one two'],
    ['a quotation', '> one\n> two', 'one\ntwo'],
    ['Chinese in bold type', '这是**重要**的', '这是重要的'],
    [
      'Japanese quotation marks in bold type',
      'これは**「富士山」**です。\n**（注）**冠雪🎉',
      'これは「富士山」です。\n（注）冠雪',
    ],
    [
      'Chinese quotation marks in bold type',
      '这是**“重点”**内容，**《书名》**也是。',
      '这是“重点”内容，《书名》也是。',
    ],
    ['Korean quotation marks in bold type', '한국의 **"한라산"**은 높다.', '한국의 "한라산"은 높다.'],
    ['a colon in bold type', '- **項目：**説明\n- **結論：**`**kw**`', '項目：説明\n結論：`**kw**`'],
    ['an emoji of a picture and a selector', '# Hot ☀️\n\n- ☀️ warm', 'Hot \n\nwarm'],
    ['an emoji in front of a word', '- 🚀 Fast\n- 💡 **Bright**: 🎉 yes', 'Fast\nBright: yes'],
    ['emoji behind a sentence', '**Done!** 🎉 🎉', 'Done! '],
    ['a line across', 'a\n\n---\n\nb', 'a\n\nb'],
  ])('%s', (_what, text, plain) => {
    expect(renderPlain(text)).toBe(plain);
  });

  it.each([
    ['yes and no', '- Water: ✅\n- Lead: ❌', 'Water: ✅\nLead: ❌'],
    ['yes and no in front', '- ✅ Water\n- ❌ Lead', '✅ Water\n❌ Lead'],
    ['in a cell', '| lead | 🥤 |\n|---|---|\n| safe | ✅ |', 'lead, 🥤\nsafe, ✅'],
    ['stars', 'Rating: **⭐⭐⭐**', 'Rating: ⭐⭐⭐'],
    ['flags', '🇩🇪 wins, 🇫🇷 loses **now**', '🇩🇪 wins, 🇫🇷 loses now'],
    ['arrows', '- ⬆️ rises\n- ⬇️ falls', '⬆️ rises\n⬇️ falls'],
    ['all of a line', '**Best:**\n🍎 🍏\n\n## 🍌', 'Best:\n🍎 🍏\n\n🍌'],
    ['behind a colon', '- **Fruit:** 🍎, 🍌', 'Fruit: 🍎, 🍌'],
    ['between signs', '**Order**: 🍎 > 🍌', 'Order: 🍎 > 🍌'],
  ])('keeps emoji that stand for a word: %s', (_what, text, plain) => {
    expect(renderPlain(text)).toBe(plain);
  });

  it.each([
    ['less than nothing', '**Change**\n- - 5', 'Change\n- - 5'],
    ['more than a number', '**x** is\n\n> 5\n\nand y is\n\n+ 7', 'x is\n\n> 5\n\nand y is\n\n+ 7'],
    ['in a list with numbers', '**x**:\n1. - 5\n2. > 6', 'x:\n1. - 5\n2. > 6'],
    ['in a line of a quotation', '> **x**\n> 3 sources say so', 'x\n> 3 sources say so'],
    ['in a list', '## It\n\n- **is**\n\n+ 2 books\n+ **3** more', 'It\n\nis\n\n+ 2 books\n3 more'],
    ['beside code', '**x**\n\n```\n1. - 5\n> 6\n```', 'x\n\n```\n1. - 5\n> 6\n```'],
    ['within a paragraph', '**x** is\n2. - 5', 'x is\n2. - 5'],
  ])('keeps the sign of a number and no other mark: %s', (_what, text, plain) => {
    expect(renderPlain(text)).toBe(plain);
  });

  it.each([
    ['the sign of a number in a list with numbers', '1. - 5\n2. - 6'],
    ['code in a fence', '```py\n# no heading\nx = **kw\n- y\n```'],
    ['code in a line', 'Call `f(**kw)` or ``a ` b``.'],
    ['powers and products', '2**3**4 is not 2*3*4, and **「x」 ** nothing'],
    ['italics, links and escapes', '*so* [it](http://x.invalid/a_b_c) goes \\*on\\*'],
    ['a hashtag and a minus', '#beans -5'],
    ['cells that a table has no column for', '| a |\n|---|\n| 1 | 2 |'],
  ])('keeps %s', (_what, text) => {
    expect(renderPlain(text)).toBe(text);
  });
});

describe('inject', () => {
  const draft: Draft = {
    instruction: 'How many?',
    options: ['Nine are left. One was eaten. None is lost.', 'Eight are left. Two were eaten. None is lost.'],
    right: 1,
    answers: [null, null],
    toned: null,
    favours: null,
    statements: [],
  };
  const inject = (side: 'wrong' | 'right') =>
    formatting.inject?.(draft, { side, share: 90, wording: '', retone: null, signal: tools.signal });

  it.each([['wrong', 0] as const, ['right', 1] as const])('sets the %s option out', async (side, at) => {
    const made = await inject(side);
    if (!made || 'dropped' in made) throw new Error('nothing was injected');
    expect(formatting.spot(caseOf({ options: made.options }))).toMatchObject([{ favours: at }]);
    expect(
      made.options.map(renderPlain).map((text) => text.replaceAll('\n', ' ').replaceAll('  ', ' ')),
    ).toEqual(draft.options);
  });

  it('drops what has too few sentences', async () => {
    const short = { ...draft, options: ['Nine.', 'Eight.'] };
    const made = await formatting.inject?.(short, {
      side: 'wrong',
      share: 90,
      wording: '',
      retone: null,
      signal: tools.signal,
    });
    expect(made).toHaveProperty('dropped');
  });
});
