/** The verdict's field where the prompt shows the JSON to write: `{"winner": "A"}`. */

const JSON_FIELD =
  /["']((?:final_?)?(?:verdict|winner|choice|decision|preference|preferred|better|best|selected|pass|score|rating|grade|label|answer|result))["']\s*:/i;

/** @returns the field's name; null where the prompt shows none */
export function jsonField(orders: string): string | null {
  return JSON_FIELD.exec(orders)?.[1] ?? null;
}
