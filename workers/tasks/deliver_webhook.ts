import { deliverDue } from '../../src/webhooks/deliver.ts';
import type { Task } from '../task.ts';

const task: Task<'deliver_webhook' | 'deliver_failing_webhook'> = ({ webhookId }, { db, config, observeDelivery, signal }) =>
  deliverDue(db, webhookId, {
    keys: config,
    privateAddresses: config.webhookPrivateAddresses,
    signal,
    observe: observeDelivery,
  });

export default task;
