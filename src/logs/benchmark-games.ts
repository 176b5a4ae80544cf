/** Judgments of MT-Bench (FastChat's `model_judgment/*.jsonl`) and of Arena-Hard: a line holds one verdict, or those of both orders. */
import * as z from 'zod';
import { type ChatMessage, chatCall, type LogFormat, type LoggedCall, readMessages } from './logged-call.ts';

const QuestionId = z.union([z.string(), z.number()]);

/** The judge's model, and the name of its prompt in `judge_prompts.jsonl`. */
const Judge = z.tuple([z.string(), z.string()]);

const Single = z.looseObject({
  question_id: QuestionId,
  model: z.string(),
  judge: Judge,
  user_prompt: z.string(),
  judgment: z.string(),
});

const Pair = z.looseObject({
  question_id: QuestionId,
  model_1: z.string(),
  model_2: z.string(),
  judge: Judge,
  g1_user_prompt: z.string(),
  g1_judgment: z.string(),
  g2_user_prompt: z.string(),
  g2_judgment: z.string(),
  /** Where each answer was judged alone. */
  m1_score: z.number().optional(),
});

/** With the messages that were sent, or, in older ones, with the text of the first of the user's; null where the judge failed. */
const Game = z
  .looseObject({
    prompt: z.array(z.unknown()).optional(),
    user_prompt: z.unknown().optional(),
    judgment: z.union([z.string(), z.looseObject({ answer: z.string() })]).nullish(),
  })
  .nullable();

const Games = z.looseObject({
  question_id: QuestionId.optional(),
  uid: QuestionId.optional(),
  model: z.string(),
  judge: z.string(),
  /** Older ones do not name it. */
  baseline: z.string().optional(),
  games: z.array(Game).min(1).max(2),
});

export const benchmarkGames: LogFormat = {
  find(value) {
    const calls = callsOf(value);
    return calls && { calls, missing: [] };
  },
};

function callsOf(value: unknown): LoggedCall[] | null {
  const single = Single.safeParse(value).data;
  if (single)
    return ofOneQuestion(single.question_id, [
      fastChatCall(single.judge, single.user_prompt, single.judgment),
    ]);
  const pair = Pair.safeParse(value).data;
  if (pair) {
    const games = [
      fastChatCall(pair.judge, pair.g1_user_prompt, pair.g1_judgment),
      fastChatCall(pair.judge, pair.g2_user_prompt, pair.g2_judgment),
    ];
    const names = pair.m1_score === undefined ? [pair.model_1, pair.model_2] : null;
    return ofOneQuestion(pair.question_id, games, names);
  }
  const all = Games.safeParse(value).data;
  if (!all) return null;
  const games = all.games.map((game) => game && gameCall(all.judge, game));
  const names = games.length === 2 ? [all.baseline ?? 'baseline', all.model] : null;
  return ofOneQuestion(all.uid ?? all.question_id ?? '', games, names);
}

/** @param names whose answers stand first and second in the first game; null where each answer is judged alone */
function ofOneQuestion(
  question: string | number,
  games: readonly (LoggedCall | null)[],
  names: readonly string[] | null = null,
): LoggedCall[] {
  // A model against itself is nobody's win.
  const isPair = names !== null && names[0] !== names[1];
  return games.flatMap((game, n) =>
    game === null
      ? []
      : [
          {
            ...game,
            ...(question !== '' && { group: String(question) }),
            ...(isPair && { contestants: n === 0 ? names : names.toReversed() }),
          },
        ],
  );
}

function fastChatCall([model, prompt]: z.infer<typeof Judge>, said: string, judgment: string): LoggedCall {
  // What is written down when all attempts to ask had failed.
  const reply = judgment === '$ERROR$' ? null : { content: judgment };
  return { ...chatCall(model, [{ role: 'user', content: said }], reply), systemPrompt: prompt };
}

function gameCall(
  judge: string,
  { prompt, user_prompt, judgment }: NonNullable<z.infer<typeof Game>>,
): LoggedCall | null {
  const reply = typeof judgment === 'string' ? judgment : judgment?.answer;
  const content = reply === undefined ? null : { content: reply.trim() };
  const sent = readMessages(prompt);
  if (sent) return chatCall(judge, sent, content);
  // A text, or a text and the names of pictures.
  const [first] = Array.isArray(user_prompt) ? user_prompt : [user_prompt];
  if (typeof first !== 'string') return null;
  const pieces = Array.isArray(user_prompt) && user_prompt.length > 1;
  const said: ChatMessage = {
    role: 'user',
    content: pieces ? [{ type: 'text', text: first }, { type: 'media' }] : first,
  };
  return { ...chatCall(judge, [said], content), systemPrompt: '' };
}
