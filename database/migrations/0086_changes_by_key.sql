-- The run (idempotency_keys.run) of the change that made the present version of a beat. The process of a run may end between its
-- change and its stored response; the retry, which continues the run, then knows the change by it.
alter table beat_productions add column changed_by_run uuid;
