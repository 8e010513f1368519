import type pg from 'pg'
import { isRestorableSql } from '#server/platform/journal/orphans.ts'
import { isAnsweringSql } from './conversations.store.ts'
import { brokenOffProblem } from './messages/messages.store.ts'

/** The number of rows that one statement deletes. */
const rowsPerStatement = 1000
/** Replaced messages are deleted this number of days after they were written. */
const replacedDays = 30

/**
 * Deletes the messages of deleted conversations that no undo can restore, with their files and proposals, and old messages that an edit or
 * a retry has replaced.
 */
export async function deleteUnneededMessages(tableOwner: pg.Pool, now: Date): Promise<void> {
  const replacedBefore = new Date(now.getTime() - replacedDays * 24 * 60 * 60 * 1000)
  let deleted: number
  do {
    const { rowCount } = await tableOwner.query(
      `delete from messages d using (
         select m.user_id, m.id from messages m
         where (m.is_replaced and m.created_at < $1)
           or not exists (select from conversations c where c.user_id = m.user_id and c.id = m.conversation_id)
             and not ${isRestorableSql('m.user_id', 'm.conversation_id')}
         limit ${rowsPerStatement}
       ) unneeded
       where d.user_id = unneeded.user_id and d.id = unneeded.id`,
      [replacedBefore],
    )
    deleted = rowCount ?? 0
  } while (deleted === rowsPerStatement)
}

/**
 * Marks answers as interrupted if their process was killed before it stored their end. Leaves out locked answers, because the deletion of
 * their account may take minutes.
 */
export async function markInterruptedAnswers(tableOwner: pg.Pool): Promise<void> {
  await tableOwner.query(
    `with interrupted as (
       select m.user_id, m.id from messages m where m.state = 'streaming' and not ${isAnsweringSql} for update skip locked)
     update messages m set state = 'interrupted', problem = $1 from interrupted i where m.user_id = i.user_id and m.id = i.id`,
    [brokenOffProblem],
  )
}
