/** The key of an imported item in its source (behaviour §36.26). */
import { fixedSql } from '../database/db.ts';

/** SQL: the key of row `k` of imported_items. It is shadowed if another item of its workspace has it, too (behaviour §42.6). */
export const sourceKey = fixedSql('coalesce(k.key, k.shadowed_key)');
