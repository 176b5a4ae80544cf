/** The AI SDK's prompt as the texts that a case is found in, and back again with edits made where they stand. */
import { applyEdits, type Edit, type Prompt, type PromptPart } from '../../case/index.ts';
import { type CallOptions, isText, type Message } from './types.ts';

/** Images, files, reasoning and tool results are no texts of a case; they are carried along. */
export function toPrompt(messages: readonly Message[]): Prompt {
  return {
    parts: messages.flatMap(({ role, content }): PromptPart[] =>
      typeof content === 'string'
        ? [{ role, text: content }]
        : content.filter(isText).map(({ text }) => ({ role, text })),
    ),
  };
}

/** The messages with edits made to their texts; what is not edited stays the very object it was. */
export function editMessages(messages: readonly Message[], edits: readonly Edit[]): Message[] {
  const texts = applyEdits(toPrompt(messages), edits)
    .parts.map(({ text }) => text)
    .values();
  const next = (text: string) => texts.next().value ?? text;
  return messages.map((message) => {
    const { content } = message;
    if (typeof content === 'string') {
      const edited = next(content);
      return edited === content ? message : { ...message, content: edited };
    }
    const pieces = content.map((piece) => {
      if (!isText(piece)) return piece;
      const edited = next(piece.text);
      return edited === piece.text ? piece : { ...piece, text: edited };
    });
    return pieces.every((piece, i) => piece === content[i]) ? message : { ...message, content: pieces };
  });
}

/** The tool that has to be called: named, or the only one where some tool is required. */
export function findRequiredTool({ tools = [], toolChoice }: CallOptions): string | null {
  if (toolChoice?.type === 'tool') return toolChoice.toolName ?? null;
  const [only] = tools;
  return toolChoice?.type === 'required' && tools.length === 1 && only ? only.name : null;
}

/** JSON schema of the verdict: of the forced tool's input, or of the reply; null where only the prompt demands it. */
export function findRequiredSchema(options: CallOptions): unknown {
  const name = findRequiredTool(options);
  const tool = options.tools?.find((one) => one.name === name);
  if (tool && 'inputSchema' in tool) return tool.inputSchema;
  return options.responseFormat?.type === 'json' ? (options.responseFormat.schema ?? null) : null;
}

/** `providerOptions: { remand: { case: … } }`: what the case is, where the caller says so. */
export function readDeclaredCase({ providerOptions }: CallOptions): unknown {
  const own = providerOptions?.remand;
  return typeof own === 'object' && own !== null && 'case' in own ? own.case : undefined;
}
