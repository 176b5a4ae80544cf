/**
 * Every regular expression that the product holds, found with a parser: literals, and what `RegExp(…)` is given, as
 * far as the text tells it.
 */
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyNode, type Expression, type Program, parse } from 'acorn';
import { simple } from 'acorn-walk';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Place {
  /** Path from the repository's root, and line. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** What stands where an expression takes a value that only a running program knows: one word, as a label is. */
const UNKNOWN = 'x';

interface Module {
  readonly path: string;
  readonly program: Program;
  /** What constants are set to, by name; names are told apart by nothing else. */
  readonly constants: ReadonlyMap<string, Expression>;
  /** Local name to file and name there. */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
}

/** @returns every expression with its place, in the order of files */
export function extractExpressions(): Place[] {
  const modules = new Map<string, Module>();
  return globSync('{src,adapters,prompts}/**/*.ts', { cwd: ROOT })
    .toSorted()
    .flatMap((path) => expressionsOf(moduleAt(join(ROOT, path), modules), modules));
}

function moduleAt(path: string, modules: Map<string, Module>): Module {
  const known = modules.get(path);
  if (known) return known;
  // Types become white space, so that every place stays where it was.
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const constants = new Map<string, Expression>();
  const imports = new Map<string, { from: string; name: string }>();
  simple(program, {
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    ImportDeclaration({ source, specifiers }) {
      if (typeof source.value !== 'string' || !source.value.startsWith('.')) return;
      const from = join(dirname(path), source.value);
      for (const one of specifiers)
        if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
          imports.set(one.local.name, { from, name: one.imported.name });
    },
  });
  const module = { path, program, constants, imports };
  modules.set(path, module);
  return module;
}

function expressionsOf(module: Module, modules: Map<string, Module>): Place[] {
  const text = readFileSync(module.path, 'utf8');
  const found: Place[] = [];
  const add = (start: number, source: string, flags: string) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ at: `${relative(ROOT, module.path)}:${line}`, source, flags });
  };
  const made = (start: number, callee: AnyNode, [source, flags]: readonly AnyNode[]) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || !source) return;
    add(start, textMadeBy(source, module, modules), flags ? textMadeBy(flags, module, modules, '') : '');
  };
  simple(module.program, {
    Literal(node) {
      if (node.regex) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => made(node.start, node.callee, node.arguments),
    CallExpression: (node) => made(node.start, node.callee, node.arguments),
  });
  return found;
}

/** The text that an expression of the program makes, with `unknown` for every part that only running it tells. */
function textMadeBy(node: AnyNode, module: Module, modules: Map<string, Module>, unknown = UNKNOWN): string {
  return known(node, module, modules, unknown, 0) ?? unknown;
}

const MAX_DEPTH = 12;

function known(
  node: AnyNode,
  module: Module,
  modules: Map<string, Module>,
  unknown: string,
  depth: number,
): string | null {
  if (depth > MAX_DEPTH) return null;
  const deeper = (inner: AnyNode) => known(inner, module, modules, unknown, depth + 1);
  const list = (inner: AnyNode): string[] | null => {
    if (inner.type === 'ArrayExpression')
      return inner.elements.flatMap((one) =>
        one === null ? [] : one.type === 'ArrayExpression' ? (list(one) ?? []) : [deeper(one) ?? unknown],
      );
    if (inner.type === 'Identifier') {
      const target = resolve(inner.name, module, modules);
      if (target && target.module === module) return list(target.value);
      return null;
    }
    if (inner.type === 'CallExpression' && inner.callee.type === 'MemberExpression') {
      const { property, object } = inner.callee;
      if (property.type === 'Identifier' && property.name === 'flat') return list(object);
    }
    return null;
  };
  switch (node.type) {
    case 'Literal':
      if (node.regex) return node.regex.pattern;
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }, i) => {
          const inner = node.expressions[i];
          return (value.cooked ?? '') + (inner ? (deeper(inner) ?? unknown) : '');
        })
        .join('');
    case 'TaggedTemplateExpression':
      return node.quasi.quasis
        .map(({ value }, i) => {
          const inner = node.quasi.expressions[i];
          return value.raw + (inner ? (deeper(inner) ?? unknown) : '');
        })
        .join('');
    case 'BinaryExpression':
      if (node.operator !== '+') return null;
      return (deeper(node.left) ?? unknown) + (deeper(node.right) ?? unknown);
    case 'Identifier': {
      const target = resolve(node.name, module, modules);
      return target && known(target.value, target.module, modules, unknown, depth + 1);
    }
    case 'MemberExpression':
      return node.property.type === 'Identifier' && node.property.name === 'source'
        ? deeper(node.object)
        : null;
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'RegExp' && node.arguments[0]
        ? deeper(node.arguments[0])
        : null;
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null;
      if (callee.property.name !== 'join') return null;
      const [separator] = node.arguments;
      return list(callee.object)?.join(separator ? (deeper(separator) ?? ',') : ',') ?? null;
    }
    case 'ParenthesizedExpression':
      return deeper(node.expression);
    default:
      return null;
  }
}

function resolve(
  name: string,
  module: Module,
  modules: Map<string, Module>,
): { readonly value: Expression; readonly module: Module } | null {
  const own = module.constants.get(name);
  if (own) return { value: own, module };
  const imported = module.imports.get(name);
  if (!imported) return null;
  return resolve(imported.name, moduleAt(imported.from, modules), modules);
}
