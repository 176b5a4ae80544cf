import { readFileSync } from 'node:fs';
import { recogniseCase } from '../src/case/recognise.ts';
import { createTemplateBook } from '../src/case/templates/book.ts';
import { createTemplateShelf } from '../src/case/templates/shelf.ts';
import { isConfirmed, isUnmistakable, casesIn, readsCleanly, optionsAlike, repliesAreRead, formSourceOf } from '../src/case/templates/learner.ts';
import { saysFormPlainly } from '../src/case/templates/form.ts';
import { withReply } from '../src/case/templates/replied.ts';
import { JudgeTemplate, textParts } from '../test/templates/schema.ts';
const cut = (s: string, n = 60) => (s.length > 2 * n ? `${s.slice(0, n)}…${s.slice(-n)}` : s).replaceAll('\n', '⏎');
for (const file of process.argv.slice(3)) {
  const t = JudgeTemplate.parse(JSON.parse(readFileSync(file, 'utf8')));
  console.log(`\n=== ${t.name} ${t.kind} ${t.protocol} verdict=${JSON.stringify(t.requests[0].verdict)}`);
  const prompt = (r: any) => ({ parts: textParts(r.body).map(({ role, text }: any) => ({ role, text })) });
  const r0 = t.requests[0] as any;
  const marks: any[] = [];
  for (const [k, v] of Object.entries(r0.slots) as any) for (const o of v) for (const s of o.slots ?? [o]) marks.push({ ...s, k: o.label !== undefined ? `opt ${o.label}` : k });
  for (const [n, p] of prompt(r0).parts.entries()) {
    let out = '', at = 0;
    for (const m of marks.filter((m) => m.part === n).sort((a, b) => a.start - b.start)) { out += cut(p.text.slice(at, m.start), 400) + `«${m.k}: ${cut(m.text, 25)}»`; at = m.end; }
    console.log(`[${p.role}] ${out}${cut(p.text.slice(at), 500)}`);
  }
  const shelf = createTemplateShelf(); let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${made++}`, shelf });
  for (const [n, r] of (t.requests as any[]).slice(0, +process.argv[2]).entries()) {
    const origin = { tenant: '', path: r.path, schema: r.body.response_format?.json_schema?.schema ?? null };
    const id = book.learn(origin, prompt(r), recogniseCase(prompt(r), { schema: origin.schema }).guess);
    const known = id ? shelf.get(id) : undefined;
    if (known) shelf.put(withReply(known, { text: r.replies[n % r.replies.length]?.text ?? 'x', read: null }));
  }
  for (const pl of book.pipelines()) {
    console.log(`--- ${pl.id} ${pl.state} samples ${pl.samples.length} unmistakable ${pl.template ? isUnmistakable(pl, pl.template) : '-'} confirmed ${isConfirmed(pl)} replies ${pl.repliesRead}/${pl.replies} verdict ${JSON.stringify(pl.template?.verdict ?? null)}`);
    if (pl.template) { const cs = casesIn(pl.template, pl.samples, pl.origin.schema); console.log('   cases', cs.map((c) => c && JSON.stringify(c.form)).join(' ; ').slice(0,300), 'clean', readsCleanly(pl.template, pl.samples, pl.origin.schema), 'alike', optionsAlike(pl.template), 'answers', JSON.stringify(pl.answers).slice(0,200), pl.repliesRead, pl.replies); const fs = formSourceOf(pl.template, pl.samples[0].prompt, pl.origin.schema); console.log('   plainly', fs && saysFormPlainly(fs.source)); }
    for (const p of pl.template?.parts ?? []) console.log(`[${p.role}] ` + p.literals.map((l, i) => cut(l, 80) + (p.slots[i] ? `{{${p.slots[i].role} ${p.slots[i].label}}}` : '')).join(''));
  }
}
