import { answerQuestions } from '../../../values/helperThread.ts';
import { type MarkdownBudget, type MarkdownLinks, markdownWithin } from '../components/markdown.ts';

/** `usual`: every text of a page. `asked`: the text that its reader asked to format. */
const budgets = {
  usual: (length: number): MarkdownBudget => ({ blocks: 10_000, output: 10_000 + 6 * length }),
  asked: (): MarkdownBudget => ({ blocks: 300_000, output: 2_000_000 }),
};

export interface Unformatted {
  text: string;
  budget: keyof typeof budgets;
}

export interface Question {
  texts: Unformatted[];
  links: MarkdownLinks;
}

answerQuestions(({ texts, links }: Question): (string | null)[] =>
  texts.map(({ text, budget }) => markdownWithin(text, links, budgets[budget](text.length))),
);
