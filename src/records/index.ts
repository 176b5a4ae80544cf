/** Lines of JSON, and texts that can be shown as they are. */
export { escapeControls, escapeInPage, escapeLine, isPlain, NOT_PLAIN } from './control.ts';
export { decodeText, parseJsonLines, RecordError } from './json-lines.ts';
