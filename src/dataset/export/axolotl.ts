/** Axolotl: `messages`, and the part of a configuration that reads them and takes the loss on the assistant's turn. */
import { createMessagesFormat } from './chat.ts';

const setOf = (split: string) => `  - path: ${split}.jsonl
    ds_type: json
    split: train
    type: chat_template
    field_messages: messages
    message_property_mappings:
      role: role
      content: content
    roles_to_train: ["assistant"]
    train_on_eos: turn
`;

export const axolotl = createMessagesFormat(({ splits }) => {
  const has = (name: string) => splits.some(({ split }) => split === name);
  // `split: train` is what the JSON loader calls the only part of a file.
  const parts = [
    has('train') ? `datasets:\n${setOf('train')}` : '',
    has('validation') ? `test_datasets:\n${setOf('validation')}` : '',
  ];
  return {
    'datasets.yaml': `# Paths are relative to where axolotl is started.\n${parts.join('')}`,
  };
});
