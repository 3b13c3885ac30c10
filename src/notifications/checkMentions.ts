/** Checks a comment for ambiguous names before it is written (behaviour §10.21). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Mentionable, readMentionable } from './mentionQueries.ts';
import { mentionsIn } from './mentions.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id, body: z.string() });

/** Throws InvalidRequest if a name belongs to several users. Reveals nothing about users who can't be mentioned. */
export const checkMentions: Read<z.infer<typeof Input>, object> = {
  name: 'checkMentions',
  input: Input,
  async run(tx, caller, { workspaceId, id, body }) {
    const people = await readMentionable(tx, caller, workspaceId, id);
    const [first] = mentionsIn(body, people).ambiguous;
    if (first)
      throw new InvalidRequest(
        ['body'],
        `mentions ${first.name}, but several people have this name. ${choiceOf(first.people as Mentionable[])}`,
      );
    return {};
  },
};

const choiceOf = (people: readonly Mentionable[]): string =>
  `Write ${people.map(({ id, name, role }) => `@${name}#${id} (${role})`).join(' or ')}.`;
