/** The code blocks of the documentation, with what a comment above a block says about it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** README.md and the pages in docs/ that are written by hand or by a measurement. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    // Made from doc comments, and held to them by a test of its own.
    .filter((name) => name.endsWith('.md') && name !== 'api.md')
    .map((name) => `docs/${name}`),
];

export interface Block {
  /** `docs/look.md:5` */
  readonly at: string;
  readonly page: string;
  /** Empty for a drawing or for what a command prints. */
  readonly language: string;
  readonly code: string;
  /** The reason of `<!-- not run: … -->` above the block; null where it is to run. */
  readonly notRun: string | null;
  /** Declarations of `<!-- given: … -->` above a block of TypeScript: the names that the reader brings along. */
  readonly given: string;
}

export function readBlocks(page: string): Block[] {
  const tokens = new MarkdownIt({ html: true }).parse(readFileSync(join(ROOT, page), 'utf8'), {});
  return tokens.flatMap((token, index) => {
    if (token.type !== 'fence') return [];
    const above = tokens[index - 1];
    const comment = above?.type === 'html_block' ? above.content : '';
    return {
      at: `${page}:${(token.map?.[0] ?? 0) + 1}`,
      page,
      language: token.info.trim(),
      code: token.content,
      notRun: /<!-- not run: ([\s\S]+?) -->/.exec(comment)?.[1] ?? null,
      given: /<!-- given: ([\s\S]+?) -->/.exec(comment)?.[1] ?? '',
    };
  });
}
