-- Why the next task of a paused series could not be made, in a sentence (behaviour §37.14). Older processes leave it null.
alter table recurrences add column problem text check (length(problem) between 1 and 200);
