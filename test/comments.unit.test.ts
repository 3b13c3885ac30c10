/** Comments are in plain words: few of them contain a phrase without a subject, or one that means nothing definite. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));
const LIMIT = 20;

const vague = [
  /\b(?:some|every|any|no)body\b|\bwho(?:m|so)?ever\b/i,
  /\bwhat (?:is|was|are|were|has|had|does|may|can|of|one|it|they)\b/i,
  /^(?:What(?!-if)|Who|Whom|Whose|Whether)\b/,
  /\b(?:is|are|was|were|be) (?:asked|looked|heard|waited|spoken|said|told|gone)\b/i,
  /\btold\b|\btells? of\b|\bhears?\b/i,
  /\bst(?:ands?|ood)\b/i,
  /\b(?:it|that|which|and) rests\b|\bc[ao]mes? to rest\b/i,
  /\b(?:goes|go|went) on\b|\bput away\b|\bonce more\b|\bother way round\b/i,
  /\b(?:alike|minded|anew|beside)\b/i,
  /\bas (?:it|they) (?:is|are|was|were)\b/i,
];

/** Each comment as one line, without the code that it quotes. */
function commentsOf(path: string): string[] {
  const text = readFileSync(root + path, 'utf8');
  const found = path.endsWith('.sql') ? sqlComments(text) : scriptComments(path, text);
  return found.map((comment) => comment.replace(/`[^`]*`/g, '_').replace(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' '));
}

function scriptComments(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0) {
      const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
      for (const { pos, end } of [...before, ...(ts.getTrailingCommentRanges(text, node.end) ?? [])]) ends.set(pos, end);
    }
    children.forEach(visit);
  };
  visit(source);
  return [...ends].map(([pos, end]) => text.slice(pos, end).replace(/^\/[/*]+\s*|\s*\*\/$/g, ''));
}

/** Strings are matched, too, because they may contain two hyphens. */
const sqlComments = (text: string): string[] =>
  [...text.matchAll(/'[^']*'|((?:--.*\n\s*)*--.*)/g)].flatMap(([, comment]) => (comment ? [comment.replace(/^--\s*/, '')] : []));

const files = ['src', 'workers', 'sql'].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|js|sql)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

test(`at most ${LIMIT} comments in src, workers and sql contain a vague phrase`, (t) => {
  const comments = files.flatMap((path) => commentsOf(path).map((comment) => ({ path, comment })));
  t.true(comments.length > 2_000);
  const hits = comments.filter(({ comment }) => vague.some((phrase) => phrase.test(comment)));
  t.true(hits.length <= LIMIT, hits.map(({ path, comment }) => `${path}: ${comment}`).join('\n'));
});

test('comments are read from code and SQL, not from strings', (t) => {
  t.deepEqual(scriptComments('a.ts', "const a = '// no'; // one\n/** two */\nf(() => {\n  // three\n});\nconst b = `/* no */`;"), [
    'one',
    'two',
    'three',
  ]);
  t.deepEqual(sqlComments("select '-- no'; -- one\n-- two\nselect 2 -- three"), ['one\n-- two', 'three']);
});
