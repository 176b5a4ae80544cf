/**
 * docs/api.md: what the package exports, from the types and doc comments of its entries. TypeScript 7 has no API in
 * JavaScript, so the compiler of version 6 reads the sources here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const HEAD = `# What the package exports

Made by \`npm run api\` from the doc comments in the sources; do not edit it. [Without a proxy](library.md) shows how the parts fit.`;

/** One exported name. */
export interface ApiEntry {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'constant' | 'type';
  /** TypeScript without bodies and comments. */
  readonly signature: string;
  /** The first paragraph of the doc comment. */
  readonly about: string;
  readonly examples: readonly string[];
}

export interface ApiModule {
  /** As it is imported: `remand/stats`. */
  readonly specifier: string;
  readonly about: string;
  readonly entries: readonly ApiEntry[];
}

/** Reads every entry of the package, in the order of `exports` in package.json. */
export function readApi(): ApiModule[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const modules = Object.entries<{ default?: string }>(exports).flatMap(([path, { default: built }]) =>
    built === undefined
      ? []
      : [
          {
            specifier: `remand${path.slice(1)}`,
            file: join(ROOT, built.replace('./dist/', '').replace(/\.js$/, '.ts')),
          },
        ],
  );
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(
    [...modules.map(({ file }) => file), join(ROOT, 'src/bias/vader-sentiment.d.ts')],
    {
      ...options,
      removeComments: true,
    },
  );
  const checker = program.getTypeChecker();
  return modules.map(({ specifier, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!source || !module) throw new Error(`${file}: no module`);
    const [comment = ''] = /^\s*\/\*\*[\s\S]*?\*\//.exec(source.text) ?? [];
    const about = comment.replace(/^\s*\/\*\*|\*\/$/g, '').replaceAll(/^ *\* ?/gm, '');
    const entries = checker
      .getExportsOfModule(module)
      .map((symbol) => readEntry(symbol, specifier, checker))
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
    return { specifier, about: firstParagraph(about), entries };
  });
}

function readEntry(exported: ts.Symbol, specifier: string, checker: ts.TypeChecker): ApiEntry {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = symbol.declarations ?? [];
  // A schema and its type share a name; the value comes first.
  const declaration = declarations.find((one) => !isType(one)) ?? declarations[0];
  if (!declaration) throw new Error(`${specifier}: ${exported.name} has no declaration`);
  const name = exported.name;
  const examples = symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'example')
    .map(({ text }) => ts.displayPartsToString(text).trim());
  return {
    name,
    kind: kindOf(declaration),
    signature: declarations
      .filter(
        (one) =>
          declarations.length === 1 ||
          !ts.isFunctionDeclaration(one) ||
          one.body === undefined ||
          one === declaration,
      )
      .map((one) => printSignature(one, name, checker))
      .join('\n'),
    about: firstParagraph(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    examples,
  };
}

const isType = (one: ts.Declaration) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one);

function kindOf(declaration: ts.Declaration): ApiEntry['kind'] {
  if (ts.isFunctionDeclaration(declaration)) return 'function';
  if (ts.isClassDeclaration(declaration)) return 'class';
  return isType(declaration) ? 'type' : 'constant';
}

const printer = ts.createPrinter({ removeComments: true });
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

function printSignature(declaration: ts.Declaration, name: string, checker: ts.TypeChecker): string {
  const source = declaration.getSourceFile();
  if (ts.isFunctionDeclaration(declaration)) {
    const signature = checker.getSignatureFromDeclaration(declaration);
    const returns =
      declaration.type?.getText(source) ??
      (signature && checker.typeToString(signature.getReturnType(), declaration, FLAGS));
    const typeParameters = declaration.typeParameters?.map((one) => one.getText(source)).join(', ');
    const parameters = declaration.parameters.map((one) => printParameter(one, source, checker)).join(', ');
    return `function ${name}${typeParameters ? `<${typeParameters}>` : ''}(${parameters}): ${returns}`;
  }
  if (ts.isClassDeclaration(declaration)) {
    const heritage = declaration.heritageClauses?.map((one) => ` ${one.getText(source)}`).join('') ?? '';
    const members = declaration.members.flatMap((member) => printMember(member, source, checker));
    return `class ${name}${heritage} {\n${members.map((one) => `  ${one};\n`).join('')}}`;
  }
  if (isType(declaration))
    return printer.printNode(ts.EmitHint.Unspecified, declaration, source).replace(/^export /, '');
  const type = checker.getTypeAtLocation(
    ts.isExportAssignment(declaration) ? declaration.expression : declaration,
  );
  return `const ${name}: ${checker.typeToString(type, declaration, FLAGS)}`;
}

/** A parameter with a default is one that may be left out. */
function printParameter(
  one: ts.ParameterDeclaration,
  source: ts.SourceFile,
  checker: ts.TypeChecker,
): string {
  const name = ts.isIdentifier(one.name) ? one.name.text : 'options';
  const type = one.type?.getText(source) ?? checker.typeToString(checker.getTypeAtLocation(one), one, FLAGS);
  const rest = one.dotDotDotToken ? '...' : '';
  return `${rest}${name}${one.initializer || one.questionToken ? '?' : ''}: ${type.replaceAll(/\s*\n\s*/g, ' ')}`;
}

function printMember(member: ts.ClassElement, source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
    return [];
  if (ts.isPropertyDeclaration(member) && ts.isIdentifier(member.name)) {
    const type =
      member.type?.getText(source) ?? checker.typeToString(checker.getTypeAtLocation(member), member, FLAGS);
    return [`readonly ${member.name.text}: ${type}`];
  }
  if (ts.isConstructorDeclaration(member))
    return [
      `constructor(${member.parameters.map((one) => printParameter(one, source, checker)).join(', ')})`,
    ];
  return [];
}

const firstParagraph = (text: string) => (text.trim().split(/\n\s*\n/)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ');

/** An example stands alone: with the imports of what it names, from its own entry where that has it. */
function addImports(example: string, specifier: string, modules: readonly ApiModule[]): string {
  const own = [...modules].sort((one) => (one.specifier === specifier ? -1 : 0));
  const imports = new Map<string, string[]>();
  const code = example.replaceAll(/\/\/.*|'[^'\n]*'/g, '');
  for (const name of new Set(code.match(/(?<!\.)\b[A-Za-z]\w+\b(?!:)/g))) {
    const from = own.find(({ entries }) => entries.some((one) => one.name === name));
    const kind = from?.entries.find((one) => one.name === name)?.kind;
    if (!from || name === 'default') continue;
    const names = imports.get(from.specifier) ?? [];
    imports.set(from.specifier, [...names, kind === 'type' ? `type ${name}` : name]);
  }
  const lines = [...imports].map(([from, names]) => `import { ${names.sort().join(', ')} } from '${from}';`);
  return [...lines, ...(lines.length > 0 ? [''] : []), example].join('\n');
}

export function formatApiPage(modules: readonly ApiModule[]): string {
  const parts = modules.map(({ specifier, about, entries }) =>
    [
      `## \`${specifier}\``,
      about,
      ...entries.map((entry) =>
        formatEntry({
          ...entry,
          examples: entry.examples.map((example) => addImports(example, specifier, modules)),
        }),
      ),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

function formatEntry({ name, signature, about, examples }: ApiEntry): string {
  const code = ['```ts signature', signature, '```'].join('\n');
  const shown = examples.map((example) => ['```ts', example, '```'].join('\n'));
  return [`### ${name}`, about, code, ...shown].filter((part) => part !== '').join('\n\n');
}
