/** Calls every exported query function with arguments made from its TypeScript types. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'slonik';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const DEEPEST = 6;
/** A text that is a date, too. */
export const MADE_UP = '2026-01-05';

export interface QueryFunction {
  file: string;
  name: string;
  /** `variant` chooses among the members of unions. If it is odd, lists are empty and optional properties absent. */
  argumentsFor(tx: unknown, variant: number): unknown[];
}

/** The files of SQL, below `src`. */
export const sqlFiles = (): string[] =>
  readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((name) => /ueries\.ts$|^overviews\/.*\.ts$/.test(name));

/** The exported functions in all files of SQL, and `run` of the exported operations. */
export function queryFunctions(): QueryFunction[] {
  const paths = sqlFiles().map((name) => `${root}src/${name}`);
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const options = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, {}, host)!.options;
  const program = ts.createProgram(paths, options);
  const checker = program.getTypeChecker();
  return paths.flatMap((file) => {
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!);
    return exported.flatMap((symbol) => {
      const type = checker.getTypeOfSymbol(symbol);
      const run = type.getProperty('run');
      const types = (run ? checker.getTypeOfSymbol(run) : type)
        .getCallSignatures()[0]
        ?.parameters.map((parameter) => checker.getTypeOfSymbol(parameter));
      if (!types) return [];
      return { file, name: symbol.name, argumentsFor: (tx, variant) => types.map((type) => made(checker, type, { tx, variant })) };
    });
  });
}

const isTx = (type: ts.Type): boolean => type.aliasSymbol?.name === 'Tx';

interface Wanted {
  tx: unknown;
  variant: number;
  depth?: number;
}

function made(checker: ts.TypeChecker, type: ts.Type, { tx, variant, depth = 0 }: Wanted): unknown {
  const inner = (of: ts.Type) => made(checker, of, { tx, variant, depth: depth + 1 });
  const name = checker.typeToString(type);
  if (isTx(type)) return tx;
  if (name === 'FragmentSqlToken') return sql.fragment`null`;
  if (name.startsWith('Buffer')) return Buffer.alloc(32);
  if (name.startsWith('Promise')) return Promise.resolve(null);
  if (type.isUnion()) {
    const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    return inner(members[variant % members.length]!);
  }
  if (type.isLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) return name === 'true';
  if (type.flags & ts.TypeFlags.StringLike) return MADE_UP;
  if (type.flags & ts.TypeFlags.NumberLike) return 1;
  if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined) || depth > DEEPEST) return null;
  if (checker.isArrayType(type) && variant % 2) return [];
  if (checker.isArrayType(type) || checker.isTupleType(type)) return checker.getTypeArguments(type as ts.TypeReference).map(inner);
  const [call] = type.getCallSignatures();
  if (call) return () => inner(call.getReturnType());
  const properties = checker
    .getPropertiesOfType(type)
    .filter((property) => variant % 2 === 0 || !(property.flags & ts.SymbolFlags.Optional));
  return Object.fromEntries(properties.map((property) => [property.name, inner(checker.getTypeOfSymbol(property))]));
}
