import type { Connection } from './connect.ts';

/** Everything or nothing. A failed rollback does not hide why it was needed. */
export async function inTransaction<T>(client: Connection, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
