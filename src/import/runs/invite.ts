/** Invites people whom an import names, and makes them members of the workspace, so that their items can be assigned (behaviour §36.28). */
import { inAccount } from '../../access/accountAccessQueries.ts';
import type { Permit } from '../../access/caller.ts';
import { invite, MOST_AN_HOUR } from '../../accounts/invitations.ts';
import { insertUser } from '../../accounts/queries.ts';
import type { Tx } from '../../database/db.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { firstCharacters } from '../../values/text.ts';
import { setMember } from '../../workspaces/queries.ts';
import { readInvited } from './pageQueries.ts';

export interface InvitedByImport {
  /** New users of the account. */
  added: number[];
  /** Those of them to whom a link is mailed. */
  linked: number[];
  /** New members of the workspace. */
  joined: number[];
}

/** `mailed`: mails are set up. Otherwise links are made on the page People. Throws InvalidRequest if the caller can't invite these people. */
export async function invitePeople(tx: Tx, permit: Permit, importId: number, mailed: boolean): Promise<InvitedByImport> {
  const done: InvitedByImport = { added: [], linked: [], joined: [] };
  const people = (await readInvited(tx, permit, importId)).filter(({ isMember }) => !isMember);
  if (people.length === 0) return done;
  const by = await inAccount(tx, permit.caller, ['owner', 'admin']).catch((error) => {
    throw error instanceof Forbidden
      ? new InvalidRequest(['people'], 'only owners and admins of the account can invite. Ask one to start the import, or choose others.')
      : error;
  });
  if (people.length > MOST_AN_HOUR)
    throw new InvalidRequest(
      ['people'],
      `an import can invite ${MOST_AN_HOUR} people, and this one has ${people.length}. Leave some unassigned.`,
    );
  for (const { name, mail, userId, active } of people) {
    if (active === false) throw new InvalidRequest(['people'], `${mail} is deactivated. Reactivate the person, or choose another one.`);
    const id = userId ?? (await add(tx, by.accountId, mail, name));
    if (userId === null) done.added.push(id);
    await setMember(tx, by, { workspaceId: permit.workspaceId, userId: id, role: 'member' });
    done.joined.push(id);
    if (!mailed || userId !== null) continue;
    await invite(tx, by, id, true);
    done.linked.push(id);
  }
  return done;
}

/** The first sign-in takes the zone of the person's browser. */
const add = (tx: Tx, accountId: number, email: string, name: string): Promise<number> =>
  insertUser(
    tx,
    { accountId },
    {
      ...{ accountId, email, name: firstCharacters(name, 200), kind: 'person', accountRole: 'member' },
      ...{ timezone: 'UTC', passwordHash: null, weeklyMinutes: null },
    },
  );
