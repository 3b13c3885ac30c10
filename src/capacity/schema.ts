/** The capacity answer (behaviour §6.2): the forecast, and the field that depends on the caller (behaviour §6.4). */
import { z } from 'zod';
import { Forecast } from './forecast/schema.ts';

export const Capacity = Forecast.extend({ canManage: z.boolean() }).meta({ id: 'Capacity' });
export type Capacity = z.infer<typeof Capacity>;
