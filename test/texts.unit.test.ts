/** Words of comments, and of all texts that people read (docs/decisions/0042-texts-stay-in-code.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { troubles } from '../src/database/trouble.ts';
import { errorTexts } from './support/errorTexts.ts';
import { suite } from './support/suite.ts';
import { allTexts, filesIn, root, type Text } from './support/texts.ts';

const test = suite(import.meta.url);

/** The API document, tool descriptions, statements and style guide: words of code are usual there. */
const TECHNICAL = /^src\/(?:rest|mcp|embedded|build|database)\/|ueries\.ts$|\/styleguide\/|\/(?:schema|getCapabilities)\.ts$/;

/** The help of npm start, a header and names of HTML elements. */
const ALLOWED = ['src/start/options.ts', 'src/pages/frame/adapter.ts', 'src/personal-notes/html/allowed.ts', 'src/live/hub.ts'];

/** The column "Not" of the guide: quaint phrases, and second words for things that have a term. */
const NOT = [
  /\bnobody\b|\bsomebody\b|\beverybody\b/i,
  /\bnotices\b|what you are told|\bhears? of\b|\btold of\b/i,
  /\bput (?:this |it )?away\b|take all away|take it away/i,
  /the other way round|once more|\bgo(?:es)? on\b|let it go/i,
  /keep this list|save over what is stored|what is stored now|by its fields|^with fields/i,
  /\brests\b|came to rest|\bstands? here\b|\bstands\b/i,
  /in the meantime|\bmeanwhile\b|moved on/i,
  /called so|which one\?|on what\?/i,
  /bring (?:it )?back|brought (?:it )?back/i,
  /with a quarter more|as the system has it|at once\b.*\bfor good|for good\b/i,
  /^copy the address$|\bmend\b|\bat most read\b/i,
  /\bwhoever\b|\bthat did not work\b/i,
];

/** Errors after which a caller can do nothing, and texts that are no errors of callers. */
const NO_ANSWER = [
  // A probe without the right address is wrong by itself, and says so.
  ['src/http/health.ts', 'There is nothing at this address.'],
  ['src/cli/doctorChecks.ts', 'Rolled back.'],
  ['src/database/connections.ts', '{text} is beyond 2^53-1'],
];

const quoted = ({ path, line, text }: Text): string => `${path}:${line} ${text}`;
const texts = allTexts().filter(({ path }) => !/\/rewrite\/|^src\/sample\//.test(path));
const everyday = texts.filter(({ path }) => !TECHNICAL.test(path) && !ALLOWED.includes(path));
const without = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '0');

test('no text has a word that the guide replaces by the usual term', (t) => {
  t.deepEqual(texts.filter(({ text }) => NOT.some((word) => word.test(without(text)))).map(quoted), []);
});

test('no text has null, undefined or a plural pasted from a value', (t) => {
  t.deepEqual(everyday.filter(({ text }) => /\b(?:null|undefined)\b|[Tt]ype\w*\}s\b|\b0s\b/.test(without(text))).map(quoted), []);
});

test('the list has the texts of pages, mails, errors and commands', (t) => {
  for (const part of ['src/pages/my/', 'src/notifications/', 'src/values/errors.ts', 'src/cli/', 'src/pages/static/js/'])
    t.true(
      texts.some(({ path }) => path.startsWith(part)),
      part,
    );
});

/** Phrases without a subject, or that mean nothing definite. */
const VAGUE =
  /\b(?:(?:some|every|no)body|whoever|told|hears?|put away|once more|other way round|goes on|(?:is|are|was|were) (?:asked|looked|heard|gone))\b/i;

test('no comment has a vague phrase', (t) => {
  const comments = ['src', 'workers']
    .flatMap(filesIn)
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/^ *(?:\*|\/\*\*|\/\/) .*/gm)].map(
        ([line]) => `${path}: ${line.replaceAll(/`.*?`/g, '')}`,
      ),
    );
  t.true(comments.some((comment) => comment.startsWith('workers/')));
  t.deepEqual(
    comments.filter((comment) => VAGUE.test(comment)),
    [],
  );
});

/** An instruction begins with one of these: a clause of the last two sentences. */
const DO = new Set(
  `add apply approve archive ask call cancel change check choose close copy correct create delete deploy edit encode enter export fix free give import leave let link log look lower make map name narrow nest
   open plan poll raise read reload remove repeat request reset restart restore resume retry revoke rotate run save say see send set shorten sign
   split start stop take try type unpack use wait write`.split(/\s+/),
);

/** The value that is allowed also says what to do. */
const LIMIT = /\bmust (?:not )?(?:be|contain|look like|lead to)\b|\bat most\b|\bis required$/;

/** The error ends with another one, which is checked by itself. */
const QUOTED =
  /\{(?:explainTrouble\(error\)|troubles\[state\]|INCOMPATIBLE|issue\.(?:message|input .*)|parsed\.error\.issues.*|faults\.join\('\\n'\)|fault|this\.#fault|what|reason|kindsMessage|choiceOf.*|messageOf\((?:error|cause)\))\}\.?$/;

const saysWhatToDo = (text: string): boolean => {
  const last = text.split(/\.\s+/).slice(-2);
  const begins = last
    .flatMap((one) => one.split(/[:;,]\s+/))
    .map((one) =>
      one
        .replace(/^(?:then|and|or|so|to \S+) /, '')
        .split(/\W/)[0]!
        .toLowerCase(),
    );
  return begins.some((word) => DO.has(word)) || LIMIT.test(text);
};

test('every error says at its end what the caller can do: an instruction, or the value that is allowed', (t) => {
  const fromTable = Object.values(troubles).map((text): Text => ({ path: 'src/database/trouble.ts', line: 0, text }));
  const all = [...errorTexts(), ...fromTable].filter(
    ({ path, text }) => !NO_ANSWER.some(([where, words]) => where === path && words === text),
  );
  t.deepEqual(all.filter(({ text }) => !saysWhatToDo(text) && !QUOTED.test(text)).map(quoted), []);
});
