-- The trace of the request that queued the job. None for a job that no visitor's request queued, for one of an
-- older command, and where nothing is traced.
alter table visitor.job add column traceparent text;
