-- Lets the space that an owner's files need be read by type from an index.
create index files_type on files (user_id, file_type) include (file_size);
