/**
 * Authors that a paper names itself, above its text. An audit shows a paper under authors of its own choice: beside the real
 * ones they would be the second, and a reviewer that follows the first would seem to follow nobody.
 */
import { removeAuthorBlock } from '../../bias/index.ts';

const KEY = /^(?:authors?|affiliations?|institut(?:e|ion)s?|e-?mails?|orcid)\s{0,9}:/i;
/** What belongs to the key above it. */
const CONTINUED = /^(?:\s|-)/;
const COMMAND =
  /\\(?:author|affil|affiliation|institute|institution|address|email|thanks|orcid|icmlauthor|icmlaffiliation|icmlcorrespondingauthor)(?![a-zA-Z])/g;

/** Without `Author: …` lines, the keys of front matter that tell an author, and LaTeX commands such as `\author{…}`. */
export function removeOwnAuthors(text: string): string {
  const { front, body } = splitFront(text);
  const head = front === null ? '' : ['---', ...removeKeys(front), '---', ''].join('\n');
  return (head + removeAuthorBlock(removeCommands(body))).trim();
}

/** The title that front matter gives; null where it gives none. */
export function readFrontTitle(text: string): string | null {
  const line = splitFront(text).front?.find((one) => one.startsWith('title:'));
  const title = line
    ?.slice('title:'.length)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return title || null;
}

/** Front matter is YAML between two lines of dashes, at the very beginning. */
function splitFront(text: string): { readonly front: readonly string[] | null; readonly body: string } {
  const lines = text.split('\n');
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end < 0) return { front: null, body: text };
  return { front: lines.slice(1, end), body: lines.slice(end + 1).join('\n') };
}

function removeKeys(yaml: readonly string[]): string[] {
  let isTaken = false;
  return yaml.filter((line) => {
    if (!CONTINUED.test(line)) isTaken = KEY.test(line);
    return !isTaken;
  });
}

function removeCommands(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index, 0: command } of text.matchAll(COMMAND)) {
    if (index < from) continue;
    kept += text.slice(from, index);
    from = endOfArguments(text, index + command.length);
  }
  return kept + text.slice(from);
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Behind the arguments in brackets that follow a command; a bracket that is never closed holds the rest of its line. */
function endOfArguments(text: string, start: number): number {
  let end = start;
  for (;;) {
    const open = text[end] ?? '';
    const close = CLOSING[open];
    if (close === undefined) return end;
    let depth = 0;
    let at = end;
    do {
      const sign = text[at++];
      if (sign === '\\') at++;
      else if (sign === open) depth++;
      else if (sign === close) depth--;
    } while (depth > 0 && at < text.length);
    if (depth > 0) {
      const line = text.indexOf('\n', end);
      return line < 0 ? text.length : line;
    }
    end = at;
  }
}
