import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import { answerQuestions } from '../values/helperThread.ts';
import type { Question } from './password.ts';

/** More characters make a password no weaker, and rating time grows faster than length. */
const MOST_CHARACTERS = 64;
/** Tries other characters for letters (`4` for `a`) in combinations. Limited because hostile text has thousands. */
const MOST_SUBSTITUTIONS = 4;

const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: MOST_CHARACTERS,
  l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
});

answerQuestions(({ password, words }: Question) => judge.check(password, words).score);
