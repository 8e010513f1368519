-- Removes an index that no query uses: proposals are found by their id or their message.
drop index proposals_conversation;
