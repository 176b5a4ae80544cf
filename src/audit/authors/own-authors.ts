/**
 * Authors that a paper names itself, above its text. An audit shows a paper under authors of its own choice: beside the real
 * ones they would be the second, and a reviewer that follows the first would seem to follow nobody.
 */
import { removeAuthorBlock } from '../../bias/index.ts';

/** YAML between two lines of dashes, at the very beginning. */
const FRONT = /^---[ \t]{0,9}\n([\s\S]*?)\n---[ \t]{0,9}(?:\n|$)/;
const KEY = /^(?:authors?|affiliations?|institut(?:e|ion)s?|e-?mails?|orcid)\s{0,9}:/i;
/** What belongs to the key above it. */
const CONTINUED = /^(?:\s|-)/;
const COMMAND =
  /\\(?:author|affil|affiliation|institute|institution|address|email|thanks|orcid|icmlauthor|icmlaffiliation|icmlcorrespondingauthor)(?![a-zA-Z])/g;

/** Without `Author: …` lines, the keys of front matter that tell an author, and LaTeX commands such as `\author{…}`. */
export function removeOwnAuthors(text: string): string {
  const front = FRONT.exec(text);
  const body = text.slice(front?.[0].length ?? 0);
  const head = front === null ? '' : `---\n${removeKeys(front[1] ?? '')}\n---\n`;
  return (head + removeAuthorBlock(removeCommands(body))).trim();
}

/** The title that front matter gives; null where it gives none. */
export function readFrontTitle(text: string): string | null {
  const line = FRONT.exec(text)?.[1]
    ?.split('\n')
    .find((one) => one.startsWith('title:'));
  const title = line
    ?.slice('title:'.length)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return title || null;
}

function removeKeys(yaml: string): string {
  let isTaken = false;
  const kept = yaml.split('\n').filter((line) => {
    if (!CONTINUED.test(line)) isTaken = KEY.test(line);
    return !isTaken;
  });
  return kept.join('\n');
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
