/** Logs of Inspect (`inspect eval`): a whole one as JSON, or one sample, of which an `.eval` file holds a list. */
import * as z from 'zod';
import {
  chatCall,
  editTexts,
  type LogFormat,
  type LoggedCall,
  readMessages,
  readReply,
  readTools,
} from './logged-call.ts';

const ModelEvent = z.looseObject({
  event: z.literal('model'),
  model: z.string(),
  input: z.array(z.unknown()).default([]),
  /** Half-open ranges of the sample's shared messages, which newer logs have in place of `input`. */
  input_refs: z.array(z.tuple([z.int(), z.int()])).optional(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  output: z.looseObject({ choices: z.array(z.looseObject({ message: z.unknown() })).default([]) }).optional(),
});

const Sample = z.looseObject({
  events: z.array(z.unknown()),
  attachments: z.record(z.string(), z.string()).default({}),
  events_data: z.looseObject({ messages: z.array(z.unknown()).default([]) }).optional(),
});

const Log = z.looseObject({ eval: z.looseObject({}), samples: z.array(Sample) });

const ATTACHMENT = 'attachment://';

export const inspectLog: LogFormat = {
  find(value) {
    const log = Log.safeParse(value).data;
    if (log) return { calls: log.samples.flatMap(callsOf), missing: [] };
    const sample = Sample.safeParse(value).data;
    return sample ? { calls: callsOf(sample), missing: [] } : null;
  },
};

function callsOf({ events, attachments, events_data: shared }: z.infer<typeof Sample>): LoggedCall[] {
  const resolve = (text: string) =>
    text.startsWith(ATTACHMENT) ? (attachments[text.slice(ATTACHMENT.length)] ?? text) : text;
  const resolveAll = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null), (_, one) => (typeof one === 'string' ? resolve(one) : one));
  return events.flatMap((one) => {
    const event = ModelEvent.safeParse(one).data;
    if (!event) return [];
    const { model, input, input_refs: ranges, tools, tool_choice: choice, output } = event;
    const given = ranges
      ? ranges.flatMap(([start, end]) => (shared?.messages ?? []).slice(start, end))
      : input;
    const messages = readMessages(given);
    if (!messages) return [];
    const [replied] = output?.choices ?? [];
    return [
      chatCall(
        model,
        messages.map((message) => editTexts(message, resolve)),
        replied ? readReply(resolveAll(replied.message)) : null,
        readTools(tools, choice),
      ),
    ];
  });
}
