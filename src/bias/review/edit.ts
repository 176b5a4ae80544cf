/** An edit by a model: asked for until one can be taken, and every one that cannot is counted by its reason. */
import {
  type EditTask,
  holdsMarker,
  readEditedText,
  renderEditCheck,
  renderEditTask,
  renderSamePointsCheck,
} from '../../../prompts/index.ts';
import type { Part, PerturbationFailure, PerturbationResult, PerturbTools, TextChange } from './types.ts';
import { findRefusal, type Keep } from './verify.ts';

export interface Stretch {
  readonly item: number;
  readonly start: number;
  /** What stands there; blanks at its ends stay. */
  readonly text: string;
}

interface EditPlan {
  readonly task: EditTask;
  readonly part: Part;
  readonly keep: Keep;
  readonly stretches: readonly Stretch[];
}

/**
 * All stretches edited at once. A perturbation of which less than half succeeded is none: what is left unchanged would
 * hide what the change does.
 */
export async function runEditPlan(
  plan: EditPlan,
  tools: PerturbTools,
): Promise<PerturbationResult | PerturbationFailure> {
  if (!tools.editor) return { dropped: 'no model to edit with' };
  const all = await Promise.allSettled(plan.stretches.map((one) => edited(one, plan, tools)));
  const refused: string[] = [];
  const changes: TextChange[] = [];
  for (const one of all) {
    if (one.status === 'rejected') throw one.reason;
    refused.push(...one.value.refused);
    if (one.value.change) changes.push(one.value.change);
  }
  if (2 * changes.length < plan.stretches.length) return { dropped: droppedFor(refused), refused };
  return { changes, refused };
}

function droppedFor(refused: readonly string[]): string {
  const last = refused.at(-1);
  return last === undefined ? 'nothing to edit' : `the edits could not be used: ${last}`;
}

async function edited(
  { item, start, text }: Stretch,
  { task, part, keep }: EditPlan,
  { editor, signal }: PerturbTools,
): Promise<{ readonly change: TextChange | null; readonly refused: string[] }> {
  const before = text.trim();
  const refused: string[] = [];
  if (holdsMarker(before)) return { change: null, refused: ['the text holds a marker of the request'] };
  const question = renderEditTask(task, before);
  for (let attempt = 0; editor && attempt < editor.attempts; attempt++) {
    const after = readEditedText(await editor.ask({ ...question, attempt }, signal));
    if (after === null) {
      refused.push('no text between the markers');
      continue;
    }
    const wrong = findRefusal(before, after, keep);
    if (wrong !== null) {
      refused.push(wrong);
      continue;
    }
    const tone = task === 'hostile' || task === 'dismissive';
    const asked = tone ? renderSamePointsCheck(before, after) : renderEditCheck(task, before, after);
    if (editor.check && !(await editor.check(asked, signal))) {
      refused.push(tone ? 'the points did not stay the same' : 'it does not do what was asked');
      continue;
    }
    const at = start + text.indexOf(before);
    return { change: { part, item, start: at, before, after }, refused };
  }
  return { change: null, refused };
}
