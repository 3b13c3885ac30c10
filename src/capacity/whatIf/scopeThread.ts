import { answerQuestions } from '../../values/helperThread.ts';
import type { Answer, Question } from './scopeComputer.ts';
import { parseScope } from './scopeRows.ts';
import { tryOn } from './tried.ts';
import { weekOf } from './weekOf.ts';

answerQuestions(({ workspaceId, rows, ...question }: Question): Answer => {
  const scope = parseScope(workspaceId, rows);
  return 'wanted' in question ? { tried: tryOn(scope, question.wanted) } : { week: weekOf(scope, question.personId, question.day) };
});
