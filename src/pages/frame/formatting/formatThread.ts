/** The thread that turns Markdown into HTML (format.ts). */
import { answerQuestions } from '../../../values/helperThread.ts';
import { type MarkdownBudget, type MarkdownLinks, markdownWithin } from '../components/markdown.ts';

/** `usual` for every text of a page, `asked` for the one that its reader asks for. */
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

/** Answers null for a text beyond its budget. */
answerQuestions(({ texts, links }: Question): (string | null)[] =>
  texts.map(({ text, budget }) => markdownWithin(text, links, budgets[budget](text.length))),
);
