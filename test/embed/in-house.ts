/** A prompt of a company's own, in no layout that is known, and a judge that likes what it reads first. */
import { findRemand } from '../../prompts/remand-note.ts';

export interface InHouseCase {
  readonly prompt: string;
  /** Which draft is the better one: it stands second. */
  readonly better: string;
}

/** The question, the worse draft and the better one. */
const CASES = [
  ['Wann kommt mein Regal?', 'Das weiß niemand.', 'Am Freitag, zwischen acht und zwölf Uhr.'],
  ['Darf ich die Lampe zurückgeben?', 'Lampen sind schön!', 'Ja, binnen 30 Tagen.'],
  ['Was deckt die Garantie ab?', 'Rufen Sie uns an.', 'Alle Fehler des Materials, zwei Jahre lang.'],
  ['Kann ich auf Rechnung zahlen?', 'Geld regiert die Welt.', 'Ab der zweiten Bestellung geht das.'],
  ['Liefern Sie nach Graz?', 'Vielleicht.', 'Ja; es kostet 9 Euro und dauert vier Tage.'],
] as const;

/** Different cases of one template. */
export const inHouseCases: readonly InHouseCase[] = CASES.map(([question, worse, better]) => {
  const prompt = [
    'Du prüfst Antworten unseres Kundendienstes. Nenne den besseren Entwurf.',
    '',
    'ANFRAGE DES KUNDEN',
    question,
    '',
    'ENTWURF EINS',
    worse,
    '',
    'ENTWURF ZWEI',
    better,
    '',
    'ENDE DER ENTWÜRFE',
    'Schreibe in die letzte Zeile "SIEGER: EINS" oder "SIEGER: ZWEI".',
  ].join('\n');
  return { prompt, better };
});

/** Says the first draft, whatever it is, until the case is sent back: then the better one. */
export function preferFirstDraft(text: string): string {
  const second = text.slice(text.indexOf('ENTWURF ZWEI'));
  const better = inHouseCases.some((one) => second.includes(one.better)) ? 'ZWEI' : 'EINS';
  return `SIEGER: ${findRemand(text) === null ? 'EINS' : better}`;
}
