import { keepTrendsOf } from '../../src/capacity/snapshots/renew.ts';
import type { Task } from '../task.ts';

const task: Task<'weekly_trend_points'> = ({ due }, { db, signal }) => keepTrendsOf(db, due.slice(0, 10), signal);

export default task;
