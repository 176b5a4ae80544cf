/** Pictures in logs of evaluation tools: their bytes are not kept, and that they stand between the options is. */
import { expect, test } from 'vitest';
import { DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { recogniseCase } from '../../src/case/index.ts';
import { findLoggedCalls } from '../../src/logs/index.ts';

const TEXTS = [
  'Which output is better for the instruction? Reply with "Output (a)" or "Output (b)" only.\n\n# Instruction:\nDraw a cat.\n\n# Output (a):\nA cat, drawn by hand.',
  '\n\n# Output (b):\nThe cat sits there.\n\n# Which is better, Output (a) or Output (b)? Your response should be either "Output (a)" or "Output (b)":',
];
const content = (picture: object | null, pieceOf: (one: string) => object) => {
  const [above, below] = TEXTS.map(pieceOf);
  return picture ? [above, picture, below] : [above, below];
};
const text = (one: string) => ({ type: 'text', text: one });
const image = {
  type: 'image_url',
  image_url: { url: '@@@langfuseMedia:type=image/png|id=1|source=base64@@@' },
};

const span = (picture: boolean) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              attributes: [
                {
                  key: 'gen_ai.input.messages',
                  value: {
                    stringValue: JSON.stringify([
                      {
                        role: 'user',
                        parts: content(picture ? { type: 'file', file_id: 'f' } : null, (one) => ({
                          type: 'text',
                          content: one,
                        })),
                      },
                    ]),
                  },
                },
              ],
            },
          ],
        },
      ],
    },
  ],
});

test.each<[string, (picture: boolean) => unknown]>([
  [
    'Langfuse',
    (picture) => ({
      ...{ id: 'o', traceId: 't', type: 'GENERATION', model: 'm', output: 'Output (a)' },
      input: [{ role: 'user', content: content(picture ? image : null, text) }],
    }),
  ],
  [
    'Inspect',
    (picture) => ({
      id: 1,
      epoch: 1,
      events: [
        {
          event: 'model',
          model: 'm',
          input: [
            {
              role: 'user',
              content: content(picture ? { type: 'image', image: 'attachment://1' } : null, text),
            },
          ],
        },
      ],
      attachments: {},
    }),
  ],
  ['OpenTelemetry', span],
])('%s', (_tool, log) => {
  const reasonOf = (picture: boolean) => {
    const [call] = findLoggedCalls(log(picture))?.calls ?? [];
    return recogniseCase(DEFAULT_ADAPTER.readRequest(JSON.stringify(call?.body)).prompt).reason;
  };
  expect([reasonOf(false), reasonOf(true)]).toEqual([null, 'media-between']);
});
