import { mailInvitation } from '../../src/accounts/mailInvitation.ts';
import type { Task } from '../task.ts';

const task: Task<'mail_invitation'> = ({ invitationId }, { db, config }) => mailInvitation(db, config, invitationId);

export default task;
