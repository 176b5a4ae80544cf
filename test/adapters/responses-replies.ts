/** Replies in the form in which api.openai.com answers `POST /v1/responses`, whole and as event streams. */

/** Of a reasoning model; the white space is there to be kept. */
export const WHOLE = `{
  "id": "resp_68af4030baa48193b0b43b4c2a176a1a0e6967589f080e78",
  "object": "response",
  "created_at": 1756315696,
  "status": "completed",
  "background": false,
  "error": null,
  "incomplete_details": null,
  "instructions": null,
  "max_output_tokens": null,
  "model": "gpt-5-nano-2025-08-07",
  "output": [
    {
      "id": "rs_68af4032bb2c8193",
      "type": "reasoning",
      "content": [],
      "summary": [
        {
          "type": "summary_text",
          "text": "Output (b) is tempting."
        }
      ]
    },
    {
      "id": "msg_68af403396788193",
      "type": "message",
      "status": "completed",
      "content": [
        {
          "type": "output_text",
          "annotations": [],
          "logprobs": [{"token": "Output", "logprob": -1.5e-06, "bytes": [79], "top_logprobs": []}],
          "text": "Output (a) \\u2014 better"
        }
      ],
      "role": "assistant"
    }
  ],
  "parallel_tool_calls": true,
  "previous_response_id": null,
  "reasoning": {
    "effort": "minimal",
    "summary": "auto"
  },
  "store": true,
  "temperature": 1.0,
  "text": {
    "format": {
      "type": "text"
    },
    "verbosity": "medium"
  },
  "tool_choice": "auto",
  "tools": [],
  "top_p": 1.0,
  "truncation": "disabled",
  "usage": {
    "input_tokens": 1019,
    "input_tokens_details": {
      "cached_tokens": 512
    },
    "output_tokens": 11,
    "output_tokens_details": {
      "reasoning_tokens": 6
    },
    "total_tokens": 1030
  },
  "user": null,
  "metadata": {}
}
`;

export const message = (text: string, id = 'msg_1') => ({
  id,
  type: 'message',
  status: 'completed',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  role: 'assistant',
});
export const refusal = (text: string) => ({ ...message(''), content: [{ type: 'refusal', refusal: text }] });
export const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' };
export const call = (args: string, name = 'select_choice', id = 'fc_1') => ({
  id,
  type: 'function_call',
  status: 'completed',
  arguments: args,
  call_id: `call_${id}`,
  name,
});
const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 104,
};

export function response(output: readonly object[], rest: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1756315696,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'test-judge-0613',
    output,
    usage: USAGE,
    ...rest,
  };
}

export interface StreamedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Events, numbered as they come. */
export function stream(events: readonly StreamedEvent[]): string[] {
  return events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number, obfuscation: 'aB3' })}\n\n`,
  );
}

const begun = [
  {
    type: 'response.created',
    response: response([], { status: 'in_progress', usage: null }),
  },
  {
    type: 'response.in_progress',
    response: response([], { status: 'in_progress', usage: null }),
  },
  { type: 'response.output_item.added', output_index: 0, item: reasoning },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
];

/** A message after some reasoning, word by word. */
export function streamedMessage(text: string, last: object = {}): StreamedEvent[] {
  const at = { item_id: 'msg_1', output_index: 1, content_index: 0 };
  const part = { type: 'output_text', annotations: [], logprobs: [], text: '' };
  const words = text.split(/(?<= )/);
  return [
    ...begun,
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...message(''), status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part },
    ...words.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 1, item: message(text) },
    { type: 'response.completed', response: response([reasoning, message(text)]), ...last },
  ];
}

/** A forced function call. */
export function streamedCall(args: string): StreamedEvent[] {
  const at = { item_id: 'fc_1', output_index: 1 };
  return [
    ...begun,
    { type: 'response.output_item.added', output_index: 1, item: { ...call(''), status: 'in_progress' } },
    ...args
      .split(/(?<=:)/)
      .map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: args },
    { type: 'response.output_item.done', output_index: 1, item: call(args) },
    { type: 'response.completed', response: response([reasoning, call(args)]) },
  ];
}
